"""Forgetting curves: numbers in, numbers out."""

import math


def time_constant_days(
    half_life_days: float, importance_factor: float, access_factor: float
) -> float:
    """Return the time constant: the idle days after which 1/e (37 %) is retained.

    Source: hebb-mind, "effective half-life". It keeps the seed's name for its first factor
    although neither is a true half-life: that is the time constant times ln 2.
    """
    return half_life_days * (1 + importance_factor + access_factor)


def true_half_life_days(time_constant_days: float) -> float:
    """Return the idle days after which one half is retained."""
    return time_constant_days * math.log(2)


def retention(idle_days: float, time_constant_days: float) -> float:
    """Return the share retained (0..1) after ``idle_days`` >= 0. Source: hebb-mind."""
    return math.exp(-idle_days / time_constant_days)


def idle_days_at(threshold: float, time_constant_days: float) -> float:
    """Return the idle days at which retention falls to ``threshold`` (0..1]; its inverse."""
    # Not log(1 / threshold): 1 / 1e-309 overflows.
    return -math.log(threshold) * time_constant_days
