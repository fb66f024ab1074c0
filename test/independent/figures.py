"""Formulas of the fixed-window analytics, written from the rules of decisions.md, section 4.

Prices are exact fractions; returns are dimensionless (0.01 is one percent). Sums, means, moments
and drawdowns are computed from the exact values, in 50-digit decimals. What depends on the order of
returns (ties of ranks, all-equal, histogram bins) is decided on the double P(t)/P(t-1) - 1, because
the rules say that numbers are doubles: two returns that are equal on paper may differ there.

Figures are returned as Decimal or float, counts as int, and None where the rules say null.
"""

from bisect import bisect_right
from collections import Counter
from decimal import Decimal, getcontext
from itertools import groupby
from statistics import median
from typing import List, NamedTuple

getcontext().prec = 50


class Returns(NamedTuple):
    """Simple returns P(t)/P(t-1) - 1 of one series: n prices give n - 1 returns."""

    exact: List[Decimal]
    doubles: List[float]


def decimal(fraction):
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def simple_returns(prices):
    pairs = list(zip(prices, prices[1:]))
    return Returns(
        [decimal(price / previous - 1) for previous, price in pairs],
        [float(price) / float(previous) - 1.0 for previous, price in pairs],
    )


def mean(values):
    return sum(values) / len(values)


def covariance(xs, ys):
    """Population covariance: the mean product of the deviations from the means (divides by n)."""
    mean_x, mean_y = mean(xs), mean(ys)
    return mean([(x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)])


def variance(xs):
    return covariance(xs, xs)


def is_constant(returns):
    """No variance: no return r is farther from the mean than 4 * 2**-52 * (1 + |r|), or none at all."""
    if not returns.doubles:
        return True
    centre = mean(returns.doubles)
    return all(abs(r - centre) <= 4 * 2**-52 * (1 + abs(r)) for r in returns.doubles)


def cumulative_return(prices):
    return decimal(prices[-1] / prices[0] - 1)


def max_drawdown(points):
    """Deepest fall P/peak - 1 below the highest price so far, with the times of peak and trough.

    `points` are (time, price). Ties: the first time of the peak price, the first of the deepest
    falls. No fall: 0 and null times.
    """
    peak_time, peak = points[0]
    deepest, start, end = 0, None, None
    for time, price in points:
        if price > peak:
            peak_time, peak = time, price
        fall = price / peak - 1
        if fall < deepest:
            deepest, start, end = fall, peak_time, time
    return {
        "max_drawdown": decimal(deepest) if deepest else Decimal(0),
        "drawdown_range": {"start_drawdown": start, "end_drawdown": end},
    }


def histogram(returns, bins):
    """Counts in `bins` equal widths from the least to the largest return; the last bin is closed.

    Edge i is min + i * (max - min) / bins in doubles. All returns equal to v: [v - 0.5, v + 0.5],
    all of them in bin floor(bins / 2), counted from 0.
    """
    values = returns.doubles
    low, high = min(values), max(values)
    if is_constant(returns):
        counts = [0] * bins
        counts[bins // 2] = len(values)
        return {"bin_count": counts, "bin_edges": [low - 0.5 + i / bins for i in range(bins + 1)]}
    edges = [low + i * (high - low) / bins for i in range(bins)] + [high]
    found = Counter(bisect_right(edges, value, 1, bins) - 1 for value in values)
    return {"bin_count": [found[i] for i in range(bins)], "bin_edges": edges}


def autocorrelation(returns, lag):
    """Sum of (r_t - m)(r_{t+lag} - m) over the sum of (r_t - m)^2.

    Source: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.12. Null without a pair of
    returns `lag` apart, or without variance.
    """
    if len(returns.exact) <= lag or is_constant(returns):
        return None
    centre = mean(returns.exact)
    deviations = [r - centre for r in returns.exact]
    squares = sum(d * d for d in deviations)
    return sum(a * b for a, b in zip(deviations, deviations[lag:])) / squares


def pearson(xs, ys):
    return covariance(xs, ys) / (variance(xs) * variance(ys)).sqrt()


def mean_ranks(values):
    """Ranks from 1; equal values share the mean of their ranks."""
    ranks = [Decimal(0)] * len(values)
    before = 0
    order = sorted(range(len(values)), key=values.__getitem__)
    for _, group in groupby(order, key=values.__getitem__):
        members = list(group)
        for member in members:
            ranks[member] = before + Decimal(len(members) + 1) / 2
        before += len(members)
    return ranks


def kendall_tau_b(xs, ys):
    """(concordant - discordant) / sqrt((pairs - pairs tied in x)(pairs - pairs tied in y)).

    Source: M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945).
    Counts with a binary indexed tree over the ranks of y, in O(n log n).
    """
    levels = sorted(set(ys))
    tree = [0] * (len(levels) + 1)

    def seen_up_to(level):
        total = 0
        while level > 0:
            total += tree[level]
            level -= level & -level
        return total

    balance, seen = 0, 0
    rows = sorted((x, bisect_right(levels, y)) for x, y in zip(xs, ys))
    for _, group in groupby(rows, key=lambda row: row[0]):
        tied_in_x = [level for _, level in group]
        for level in tied_in_x:
            balance += seen_up_to(level - 1) - (seen - seen_up_to(level))
        for level in tied_in_x:
            while level < len(tree):
                tree[level] += 1
                level += level & -level
        seen += len(tied_in_x)

    def pairs_not_tied(values):
        same = sum(count * (count - 1) // 2 for count in Counter(values).values())
        return len(values) * (len(values) - 1) // 2 - same

    return balance / Decimal(pairs_not_tied(xs) * pairs_not_tied(ys)).sqrt()


def correlation(a, b, method):
    if method == "KENDALL":
        return kendall_tau_b(a.doubles, b.doubles)
    if method == "SPEARMAN":
        return pearson(mean_ranks(a.doubles), mean_ranks(b.doubles))
    return pearson(a.exact, b.exact)


def lower_triangle(series, entry):
    """Rows 0..i of entry(series[i], series[j]) with the diagonal; null where either is constant."""
    empty = [is_constant(returns) for returns in series]
    return [
        [None if empty[i] or empty[j] else entry(series[i], series[j]) for j in range(i + 1)]
        for i in range(len(series))
    ]


SCALARS = {
    "MIN": lambda returns: min(returns.exact),
    "MAX": lambda returns: max(returns.exact),
    "MEAN": lambda returns: mean(returns.exact),
    "MEDIAN": lambda returns: median(returns.exact),
    "VARIANCE": lambda returns: variance(returns.exact),
    "STDDEV": lambda returns: variance(returns.exact).sqrt(),
}
