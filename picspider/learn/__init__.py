"""Learn one regular expression from example URLs."""
from picspider.learn.default import learn_default

def learn_regex(positives, negatives=()):
    return learn_default(positives, negatives)
