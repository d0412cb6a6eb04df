"""Sparse vectors of words: plain mappings from word to weight."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt


def cosine(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    """The cosine of the angle between *a* and *b*, 0 to 1 for weights ≥ 0; 0 when either has no length."""
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    dot = sum(weight * large.get(word, 0.0) for word, weight in small.items())
    return dot / (_length(a) * _length(b)) if dot else 0.0


def _length(vector: Mapping[str, float]) -> float:
    return sqrt(sum(weight * weight for weight in vector.values()))
