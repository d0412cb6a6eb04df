"""What each bet costs, in relative units; the table of everything the default learner believes.

Estimated on public URL groups (half the sites at a time, checked on the other half), not by hand.
"""

MISS: dict[str, float] = {
    "class \\d": 0.2, "class [\\d-]": 0.8, "class [\\da-f]": 0.9, "class [\\da-f-]": 0.7, "class [A-Z]": 1.5, "class [A-Z\\d]": 1.0,
    "class [a-z]": 1.5, "class [a-z\\d]": 1.0, "class [a-zA-Z]": 1.4, "class [a-zA-Z\\d]": 0.8, "class \\w": 0.6,
    "class [a-z-]": 1.3, "class [a-z\\d-]": 0.9, "class [\\w-]": 0.35, "class [\\w%-]": 0.35, "class [^/?#.]": 0.25,
    "class [^/?#_]": 0.9, "class [^/?#\\d]": 0.9, "class [^/?#-]": 0.9, "class [^/?#=]": 0.3, "class [^/?#]": 0.0,
    "fixed short id": 2.5, "fixed medium id": 1.2, "fixed long id": 0.2,
    "fixed short number": 2.5, "fixed medium number": 1.8, "fixed long number": 1.2, "least number": 1.8, "least, roughly number": 1.2,
    "fixed short words": 4.0, "fixed medium words": 3.0, "fixed long words": 3.0,
    "least id": 1.8, "least, roughly id": 1.2, "least words": 2.5, "least, roughly words": 1.8, "range": 3.0,
    "head digits": 1.2, "head word": 0.8, "head letters": 0.8, "head signs": 0.7, "leading number": 0.3,
    "tail digits": 2.0, "tail word": 0.6, "tail letters": 0.9, "tail signs": 0.7, "trailing number": 0.35, "numbered tail": 0.25, "numbered head": 0.5,
    "extension": 0.2, "pictures": 0.2, "extensions": 1.2,
    "has digit": 1.2, "long number": 0.9, "slug": 1.0, "slug, roughly": 2.0, "slug, all": 2.2,
    "constant word": 0.05, "constant mixed": 0.7, "constant number": 1.2, "constant long number": 4.0,
    "constant first": 0.25, "constant inner": 0.35, "constant last": 0.3, "constant optional": 0.8, "constant parameter": 0.4,
    "listed": 3.0, "listed, some twice": 4.5,
    "template digits": 0.6, "template word": 0.25, "template letters": 0.4, "template signs": 0.3, "template number": 0.45,
    "template letters run": 1.3,
    "listed hosts": 1.0, "subdomain": 0.4, "slash": 0.3, "no slash": 0.45, "tail kind": 0.5, "segments": 1.0,
    "same fragment": 0.2, "no tail": 0.05, "avoid": 0.5, "avoided word": 0.6, "split": 1.0,
}
LEAK: dict[str, float] = {
    "class \\d": 0.05, "class [\\d-]": 0.1, "class [\\da-f]": 0.12, "class [\\da-f-]": 0.12, "class [A-Z]": 0.2, "class [A-Z\\d]": 0.2,
    "class [a-z]": 0.25, "class [a-z\\d]": 0.3, "class [a-zA-Z]": 0.3, "class [a-zA-Z\\d]": 0.35, "class \\w": 0.36,
    "class [a-z-]": 0.3, "class [a-z\\d-]": 0.35, "class [\\w-]": 0.4, "class [\\w%-]": 0.42, "class [^/?#.]": 0.43,
    "class [^/?#_]": 0.44, "class [^/?#\\d]": 0.44, "class [^/?#-]": 0.44, "class [^/?#=]": 0.48, "class [^/?#]": 0.5,
    "fixed": -0.15, "least": -0.05, "least, roughly": -0.04, "range": -0.08,
    "affix": -0.02, "number": -0.1, "extension": -0.05, "has digit": 0.35, "long number": 0.27, "slug": 0.36, "slug joint": -0.04,
    "constant opened": 0.1, "template": 0.1, "subdomain": 0.2, "subdomains": 0.5, "any host": 3.0,
    "slash or none": 0.15, "any tail": 0.5, "query or none": 0.4, "fragment or none": 0.25, "any fragment": 0.4, "more": 0.4,
    "deep": 0.8, "deep, some": 0.7,
}
OTHER: dict[str, float] = {
    "leak": 25.0,
    "scale": 1.0,
    "scale without": 1.4,
    "scale unlabelled": 1.5,
    "leak unlabelled": 0.3,
    "most believed": 20.0,
    "half": 20.0,
    "power": 1.0,
}


def doubt_after(count: int) -> float:
    """How much doubt is left after so many agreeing examples: 1 after the first, then falling."""
    return float(count ** -OTHER["power"])


def leak_scale(negatives: int) -> float:
    """How much the bets on leaks weigh: the more negatives were seen, the less must be feared."""
    if negatives == 0:
        return OTHER["scale without"]
    return OTHER["scale"] / (1 + negatives / OTHER["half"])
