"""Forgetting curves: what is retained of a memory after so many idle days."""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from hebbctl.models import Policy, Traits

LN2 = math.log(2)
UNIT_DAYS = {"minutes": 1 / 1440, "hours": 1 / 24, "days": 1.0}
HIGH, MEDIUM = 7, 4  # the least importance of jarvis's levels; the cuts are ours
ALPHA = 1.1  # of cortexgraph's power law
FAST_SHARE, FAST_DAYS, SLOW_DAYS = 0.7, 0.5, 7.0  # of cortexgraph's two components, half-lives
EXPONENT, ONSET_DAYS = 0.13, 0.21 / 1440  # fitted to Ebbinghaus's table, R^2 .974
SAVINGS, STEEPNESS = 1.84, 1.25  # Ebbinghaus 1885, of the logarithm of minutes
SHELF_DAYS = 30.0  # of amnesia where no ttl is set
MOST_GROWTH_STEPS = 100_000  # recalls after which logarithmic growth is taken as over


class Shape(NamedTuple):
    """How retention (0..1] falls with idle time, both measured in the same scale, and back.

    ``written`` is the arithmetic of one moment, with {idle} and {scale} in days.
    """

    retention: Callable[[float], float]  # of idle / scale >= 0
    inverse: Callable[[float], float]  # of a retention in (0, 1]: idle / scale
    written: str


class Curve(NamedTuple):
    """A shape with its scale: ``formula`` is how ``explain`` and the README write it.

    What a memory brings with it, its traits, stretches the scale or weighs the result; idle time
    alone shapes it. Every trait and parameter that is accepted gives a finite retention.
    ``reads`` names the parameters of the policy and the traits of the memory that matter.
    ``gain`` weighs retention where a policy compares vitality with its threshold, not retention.
    ``ends_at`` says whether a memory ends already at exactly its threshold.
    """

    formula: str
    source: str
    shape: Shape
    scale_days: Callable[[Policy, Traits], float]
    reads: tuple[str, ...] = ()
    gain: Callable[[Policy, Traits], float] | None = None
    ends_at: bool = False


def retention(policy: Policy, traits: Traits, idle_days: float) -> float:
    """Return the share retained, 0..1, after ``idle_days`` >= 0."""
    return fading(policy, traits)(idle_days)


def fading(policy: Policy, traits: Traits) -> Callable[[float], float]:
    """Return retention as a function of idle days alone."""
    scale, shape = scale_days(policy, traits), CURVES[policy.curve].shape.retention
    return lambda idle_days: shape(idle_days / scale)


def idle_days_at(policy: Policy, traits: Traits, share: float) -> float:
    """Return the idle days after which ``share`` (0..1] is retained; the inverse."""
    return CURVES[policy.curve].shape.inverse(share) * scale_days(policy, traits)


def arithmetic(policy: Policy, traits: Traits, idle_days: float) -> str:
    """Return how retention comes about, in numbers: ``exp(-2 / 441)``."""
    scale = scale_days(policy, traits)
    return CURVES[policy.curve].shape.written.format(idle=f"{idle_days:.6g}", scale=f"{scale:.6g}")


def scale_days(policy: Policy, traits: Traits) -> float:
    """Return the days that a curve counts in. Above 0, however small a half-life was set."""
    return CURVES[policy.curve].scale_days(policy, traits) or math.ulp(0)


def time_constant_days(policy: Policy, traits: Traits) -> float:
    """Return the idle days after which 1/e (37 %) is retained."""
    return idle_days_at(policy, traits, 1 / math.e)


def true_half_life_days(policy: Policy, traits: Traits) -> float:
    """Return the idle days after which one half is retained."""
    return idle_days_at(policy, traits, 0.5)


def gain(policy: Policy, traits: Traits) -> float:
    """Return by how much retention is multiplied before it is compared with a threshold."""
    weigh = CURVES[policy.curve].gain
    return weigh(policy, traits) if weigh else 1.0


# Not log(1 / share): 1 / 1e-309 overflows.
EXPONENTIAL = Shape(
    lambda idle: math.exp(-idle), lambda share: -math.log(share), "exp(-{idle} / {scale})"
)
# For curves whose scale is a true half-life. Exactly 0.5 at 1, which exp(-ln 2) need not be.
HALVING = Shape(lambda idle: 2.0**-idle, lambda share: -math.log2(share), "2^(-{idle} / {scale})")


def _power(exponent: float, onset: float) -> Shape:
    """Return (1 + t / onset) ^ -exponent."""

    def retention(idle: float) -> float:
        return float((1 + idle / onset) ** -exponent)

    def inverse(share: float) -> float:
        # expm1 keeps the digits near 1. Far tails overflow: nothing is ever idle so long.
        logarithm = -math.log(share) / exponent
        return onset * math.expm1(logarithm) if logarithm < 700 else math.inf

    written = f"(1 + {{idle}} / ({onset:.6g} * {{scale}}))^-{exponent:g}"
    return Shape(retention, inverse, written)


def _two_components(idle_days: float) -> float:
    fast: float = FAST_SHARE * 2.0 ** (-idle_days / FAST_DAYS)
    slow: float = (1 - FAST_SHARE) * 2.0 ** (-idle_days / SLOW_DAYS)
    return fast + slow


def _two_components_inverse(share: float) -> float:
    """Bisect: the sum of two exponentials has no closed inverse. Exact to the last bits."""
    low, high = 0.0, -SLOW_DAYS * math.log2(share)  # as if all of it were the slow one
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if _two_components(middle) > share else (low, middle)
    return (low + high) / 2


def _savings(idle_days: float) -> float:
    """Return Ebbinghaus's share of work saved. Before one minute nothing is lost yet."""
    minutes = idle_days * 1440
    return SAVINGS / (math.log10(minutes) ** STEEPNESS + SAVINGS) if minutes > 1 else 1.0


def _savings_inverse(share: float) -> float:
    exponent = (SAVINGS * (1 / share - 1)) ** (1 / STEEPNESS) if share > 1e-300 else math.inf
    return 10**exponent / 1440 if exponent < 300 else math.inf


TWO_COMPONENTS = Shape(
    _two_components,
    _two_components_inverse,
    f"{FAST_SHARE} * 2^(-{{idle}} / {FAST_DAYS})"
    f" + {1 - FAST_SHARE:.1f} * 2^(-{{idle}} / {SLOW_DAYS:g})",
)
SAVING = Shape(
    _savings,
    _savings_inverse,
    f"{SAVINGS} / (log10(1440 * {{idle}})^{STEEPNESS} + {SAVINGS})",
)


def _stretched(policy: Policy, traits: Traits) -> float:
    by_importance, by_access = factors(policy, traits)
    return policy.half_life_days * (1 + by_importance + by_access)


def factors(policy: Policy, traits: Traits) -> tuple[float, float]:
    """Return by how much importance and use lengthen hebb's time constant, as shares of it."""
    return policy.k_importance * traits.importance / 10, policy.k_access * traits.access_count / 10


def _by_level(policy: Policy, traits: Traits) -> float:
    level = 3.0 if traits.importance >= HIGH else 1.0 if traits.importance >= MEDIUM else 0.5
    return policy.half_life_days * level


def _half_life(policy: Policy, traits: Traits) -> float:
    return policy.half_life_days


def _one_day(policy: Policy, traits: Traits) -> float:
    return 1.0


def _grown(policy: Policy, traits: Traits) -> float:
    return strength_after(policy, traits) * UNIT_DAYS[policy.time_unit]


def strength_after(policy: Policy, traits: Traits) -> float:
    """Return memorybank's S: the initial strength, grown by each recall as the policy says.

    ``linear`` adds 1, ``log`` adds 1 / ln(S + 1), ``decay`` adds growth_factor^n at the n-th.
    """
    start, recalls = traits.strength, traits.access_count
    if policy.growth == "log":
        steps = int(min(recalls, MOST_GROWTH_STEPS))
        # The seed's step falls with S below and near 1, where S starts. So that a stronger memory
        # never lasts shorter, S < 1 grows as S = 1 does, and S > 1 to no less than that.
        grown = max(_grown_by_logarithm(1.0, steps), _grown_by_logarithm(max(start, 1.0), steps))
        return grown + min(start - 1, 0)
    if policy.growth == "decay" and policy.growth_factor < 1:
        factor = policy.growth_factor
        # A geometric sum; expm1 keeps its digits where the factor is nearly 1.
        return start - factor * math.expm1(recalls * math.log(factor)) / (1 - factor)
    return start + recalls


@lru_cache(maxsize=4096)
def _grown_by_logarithm(start: float, recalls: int) -> float:
    grown = start
    for _ in range(recalls):
        grown += 1 / math.log(grown + 1)
    return grown


def _shelf_life(policy: Policy, traits: Traits) -> float:
    """Return amnesia's ttl / 3, in days: exp(-3 t / ttl)."""
    from_memory = None if traits.ttl_ms is None else traits.ttl_ms / 86_400_000
    ttl_days = policy.default_ttl_days if from_memory is None else from_memory
    return (ttl_days or SHELF_DAYS) / 3


def _by_use(policy: Policy, traits: Traits) -> float:
    """Return cortexgraph's weight: (access_count + 1)^beta * strength. Writing is the first use."""
    return float((traits.access_count + 1) ** policy.beta) * traits.strength


CURVES = {
    "hebb": Curve(
        "exp(-idle_days / (half_life_days * (1 + k_importance * importance/10"
        " + k_access * access_count/10)))",
        "hebb-mind, effective half-life: a time constant in spite of its name",
        EXPONENTIAL,
        _stretched,
        ("half_life_days", "k_importance", "k_access", "importance", "access_count"),
    ),
    "jarvis": Curve(
        "2^(-idle_days / (half_life_days * level)), level 3, 1 or 0.5 for importance"
        f" {HIGH} and more, {MEDIUM} and more, less",
        "JARVIS's acceptance test: about one half after 30 days",
        HALVING,
        _by_level,
        ("half_life_days", "importance"),
    ),
    "jarvis-exp": Curve(
        "exp(-idle_days / (half_life_days * level)), level 3, 1 or 0.5 for importance"
        f" {HIGH} and more, {MEDIUM} and more, less",
        "JARVIS's written formula, which its acceptance test contradicts",
        EXPONENTIAL,
        _by_level,
        ("half_life_days", "importance"),
    ),
    "cortexgraph": Curve(
        "2^(-idle_days / half_life_days); vitality ="
        " (access_count + 1)^beta * strength * retention",
        "cortexgraph, layer 1",
        HALVING,
        _half_life,
        ("half_life_days", "beta", "access_count", "strength"),
        _by_use,
    ),
    "cortexgraph-power": Curve(
        f"(1 + idle_days / t0)^-{ALPHA}, t0 = half_life_days / (2^(1/{ALPHA}) - 1); vitality ="
        " (access_count + 1)^beta * strength * retention",
        "cortexgraph's public code, power law",
        _power(ALPHA, 1 / math.expm1(LN2 / ALPHA)),
        _half_life,
        ("half_life_days", "beta", "access_count", "strength"),
        _by_use,
    ),
    "cortexgraph-two": Curve(
        f"{FAST_SHARE} * 2^(-idle_days / {FAST_DAYS}) + {1 - FAST_SHARE:.1f} * 2^(-idle_days /"
        f" {SLOW_DAYS:g}); vitality = (access_count + 1)^beta * strength * retention",
        "cortexgraph's public code, two components of fixed half-lives",
        TWO_COMPONENTS,
        _one_day,
        ("beta", "access_count", "strength"),
        _by_use,
    ),
    "memorybank": Curve(
        "exp(-idle / S), both in time_unit; S = strength, grown at each recall",
        "MemoryBank, Ebbinghaus's curve as its authors simplify it",
        EXPONENTIAL,
        _grown,
        ("time_unit", "growth", "growth_factor", "access_count", "strength"),
    ),
    "amnesia": Curve(
        "exp(-3 * idle_days / ttl_days)",
        "amnesia's public code: 5 % are left at the end of the shelf life",
        EXPONENTIAL,
        _shelf_life,
        ("default_ttl_days", "ttl_ms"),
        ends_at=True,
    ),
    "power": Curve(
        f"(1 + idle_minutes / 0.21)^-{EXPONENT}",
        "fitted to Ebbinghaus's table of 1885",
        _power(EXPONENT, ONSET_DAYS),
        _one_day,
    ),
    "ebbinghaus": Curve(
        f"{SAVINGS} / (log10(idle_minutes)^{STEEPNESS} + {SAVINGS})",
        "Ebbinghaus 1885, savings; before one minute nothing is lost",
        SAVING,
        _one_day,
    ),
}
