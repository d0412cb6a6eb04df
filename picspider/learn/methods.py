"""The methods of learning by name."""

from picspider.learn.alignment import learn_alignment
from picspider.learn.default import learn_default
from picspider.learn.method import Method

METHODS: dict[str, Method] = {
    "default": learn_default,
    "alignment": learn_alignment,
}
