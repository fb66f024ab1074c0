#!/usr/bin/env python3
"""Recomputes an answer of GET /api/analytics/window from the CSV files that were imported.

An independent check: written from the specification (operation 8) and decisions.md (section 4)
alone. `prices.py` holds the reading, the calendar and the window, `figures.py` the formulas.

    python3 test/independent/analytics.py --answer ANSWER.json \\
        --query 'symbols=AAPL&range=2month&calculations=MEAN,STDDEV(annualized=True)' CSV...

Prints one line for each key, then `N figures agree` and exits 0; or lists each disagreement (path,
expected, got) and exits 1. Bad usage exits 2 with one line. A figure is any single value of the
answer: a number, a null, a date or a name.
"""

import argparse
import json
import re
import sys
from decimal import Decimal
from itertools import zip_longest
from typing import NamedTuple
from urllib.parse import parse_qsl

import figures
from prices import MINUTES, PERIODS, BadInput, data_points, read_prices, window
from prices import adjusted_days, adjusted_for, suspected_splits

SYMBOL = re.compile(r"[A-Z][A-Z0-9.\-]{0,9}")
SYMBOLS_MAX = 50
INTERVALS = {name.upper(): name for name in (*MINUTES, "DAILY", "WEEKLY", "MONTHLY")}
PARAMETERS = {"symbols", "range", "range_end", "interval", "ohlc", "calculations"}
REQUIRED = ("symbols", "range", "calculations")
DAYS_PER_YEAR, WEEKS_PER_YEAR, MONTHS_PER_YEAR, SESSION_MINUTES = 252, 52, 12, 390

YES_NO = {"TRUE": True, "1": True, "FALSE": False, "0": False}
COUNTS = {str(n): n for n in range(1, 1001)}
METHODS = {name: name for name in ("PEARSON", "KENDALL", "SPEARMAN")}
NO_OPTION = (None, {}, None)
OPTIONS = {  # calculation: (option, its values, default)
    **{name: NO_OPTION for name in ("MIN", "MAX", "MEAN", "MEDIAN")},
    **{name: NO_OPTION for name in ("CUMULATIVE_RETURN", "MAX_DRAWDOWN")},
    **{name: ("ANNUALIZED", YES_NO, False) for name in ("VARIANCE", "STDDEV", "COVARIANCE")},
    "HISTOGRAM": ("BINS", COUNTS, 10),
    "AUTOCORRELATION": ("LAG", COUNTS, 1),
    "CORRELATION": ("METHOD", METHODS, "PEARSON"),
}


# --- the query ---------------------------------------------------------------------------------


class Query(NamedTuple):
    symbols: list
    range: str
    range_end: str
    interval: str
    ohlc: str
    calculations: dict  # {KEY: (name, value of its option)}

    @property
    def intraday(self):
        return self.interval in MINUTES


def parse_query(text):
    given = [(k, v.strip()) for k, v in parse_qsl(text.lstrip("?")) if v.strip()]
    values = dict(given)
    unknown = set(values) - PARAMETERS
    missing = [name for name in REQUIRED if name not in values]
    if unknown or missing or len(values) < len(given):
        raise BadInput(f"query: unknown {sorted(unknown)}, missing {missing}, or one given twice")
    symbols = list(dict.fromkeys(s.strip().upper() for s in values["symbols"].split(",")))
    interval = INTERVALS.get(values.get("interval", "DAILY").upper())
    ohlc = values.get("ohlc", "close").lower()
    if len(symbols) > SYMBOLS_MAX or not all(map(SYMBOL.fullmatch, symbols)):
        raise BadInput(f"query: not a list of at most {SYMBOLS_MAX} symbols: {values['symbols']}")
    if interval is None or ohlc not in ("open", "high", "low", "close"):
        raise BadInput("query: unknown interval or ohlc")
    calculations = parse_calculations(values["calculations"])
    return Query(symbols, values["range"], values.get("range_end"), interval, ohlc, calculations)


def parse_calculations(text):
    """{KEY: (name, value of its option)}; a key is the item in upper case without blanks."""
    calculations = {}
    for key in re.split(r",(?![^()]*\))", re.sub(r"\s", "", text).upper()):
        item = re.fullmatch(r"([A-Z_]+)(?:\((?:([A-Z]+)=(\w+))?\))?", key)
        if not item or item[1] not in OPTIONS:
            raise BadInput(f"query: unknown calculation {key}")
        option, values, default = OPTIONS[item[1]]
        if item[2] and (item[2] != option or item[3] not in values):
            raise BadInput(f"query: unknown option or value in {key}")
        calculations[key] = (item[1], values[item[3]] if item[2] else default)
    return calculations


def expected_answer(query, paths):
    prices, last_day = read_prices(paths, query.symbols, query.ohlc, query.intraday)
    first, last = window(query.range, query.range_end, query.intraday, last_day)
    series = {
        symbol: data_points(prices[symbol], query.interval, query.ohlc, first, last)
        for symbol in query.symbols
    }
    moments = [moment for points in series.values() for moment, _ in points]
    if not moments:
        return {"data": {"meta": None, "payload": None}}
    shown = "%Y-%m-%dT%H:%M:%SZ" if query.intraday else "%Y-%m-%d"
    meta = {
        "symbols": ",".join(query.symbols),
        "min_dt": min(moments).strftime(shown),
        "max_dt": max(moments).strftime(shown),
        "ohlc": query.ohlc.capitalize(),
        "interval": query.interval,
        "adjusted_for": adjusted_for(series, adjusted_days(paths, query.symbols)),
        "suspected_splits": suspected_splits(paths, query, first.date(), last.date()),
    }
    named = {s: [(moment.strftime(shown), price) for moment, price in series[s]] for s in series}
    # Symbols are joined by week or month, otherwise by time.
    period = PERIODS.get(query.interval, lambda moment: moment)
    period_of = {moment.strftime(shown): period(moment) for moment in moments}
    payload = {
        key: calculate(name, option, named, periods_per_year(query.interval), period_of)
        for key, (name, option) in query.calculations.items()
    }
    return {"data": {"meta": meta, "payload": {"RETURNS_CALCULATIONS": payload}}}


def periods_per_year(interval):
    if interval in MINUTES:
        return DAYS_PER_YEAR * SESSION_MINUTES // MINUTES[interval]
    return {"DAILY": DAYS_PER_YEAR, "WEEKLY": WEEKS_PER_YEAR, "MONTHLY": MONTHS_PER_YEAR}[interval]


def calculate(name, option, series, periods, period_of):
    """One calculation over {symbol: [(shown time, price)]}."""
    if name in ("COVARIANCE", "CORRELATION"):
        held = {s: points for s, points in series.items() if points}
        return matrix(name, option, held, periods, period_of)
    return {symbol: figure(name, option, points, periods) for symbol, points in series.items()}


def figure(name, option, points, periods):
    """The value of one symbol; null without data, and without returns where returns are needed."""
    if not points:
        return None
    prices = [price for _, price in points]
    if name == "CUMULATIVE_RETURN":
        return figures.cumulative_return(prices)
    if name == "MAX_DRAWDOWN":
        return figures.max_drawdown(points)
    returns = figures.simple_returns(prices)
    if not returns.exact:
        return None
    if name == "HISTOGRAM":
        return figures.histogram(returns, option)
    if name == "AUTOCORRELATION":
        return figures.autocorrelation(returns, option)
    if name in ("VARIANCE", "STDDEV") and len(returns.exact) < 2:
        return None
    value = figures.SCALARS[name](returns)
    if option:  # annualized
        value *= Decimal(periods).sqrt() if name == "STDDEV" else periods
    return value


def matrix(name, option, series, periods, period_of):
    """Pairs of symbols: prices joined on the periods that all of them have, returns after that."""
    common = set.intersection(*({period_of[time] for time, _ in points} for points in series.values()))
    joined = [
        figures.simple_returns([price for time, price in points if period_of[time] in common])
        for points in series.values()
    ]
    if name == "COVARIANCE":
        scale = periods if option else 1
        rows = figures.lower_triangle(
            joined, lambda a, b: figures.covariance(a.exact, b.exact) * scale
        )
    else:
        rows = figures.lower_triangle(joined, lambda a, b: figures.correlation(a, b, option))
    return {"index": list(series), name.lower(): rows}


# --- the comparison ----------------------------------------------------------------------------

NOTHING = type("Nothing", (), {"__repr__": lambda self: "nothing"})()


def pairs(path, want, got):
    """(path, expected, got) of every single value; NOTHING marks a missing or an extra one."""
    if isinstance(want, dict) and isinstance(got, dict):
        for key in {**want, **got}:
            yield from pairs((*path, key), want.get(key, NOTHING), got.get(key, NOTHING))
    elif isinstance(want, list) and isinstance(got, list):
        for i, (a, b) in enumerate(zip_longest(want, got, fillvalue=NOTHING)):
            yield from pairs((*path, i), a, b)
    else:
        yield path, want, got


def agreement(want, got, relative, floor):
    """(whether they agree, relative difference); counts, names and nulls must be the same."""
    if not isinstance(want, (Decimal, float)):
        return type(want) is type(got) and want == got, 0.0
    if type(got) not in (int, float):
        return False, 0.0
    size, difference = abs(float(want)), abs(float(want) - got)
    return difference <= max(relative * size, floor), difference / size if size > floor else 0.0


def floor_for(key, tree, floor):
    """The absolute tolerance of a key: `floor` is meant for figures of the size of returns.

    A double return is off by about 1e-16, so a product of returns by that times their size:
    variances and covariances take the floor times the root of the largest of them.
    """
    if not key.startswith(("VARIANCE", "COVARIANCE")):
        return floor
    sizes = [abs(v) for _, v, _ in pairs((), tree, tree) if isinstance(v, Decimal)]
    return floor * min(1.0, float(max(sizes, default=Decimal(0)).sqrt()))


def compare(want, got, relative, floor):
    """({key: (figures, largest relative difference)}, [disagreement])."""
    keys = ((want["data"]["payload"] or {}).get("RETURNS_CALCULATIONS")) or {}
    floors = {key: floor_for(key, tree, floor) for key, tree in keys.items()}
    tally, disagreements = {}, []
    for path, a, b in pairs((), want, got):
        key = path[3] if len(path) > 3 else path[1] if len(path) > 1 else "answer"
        agree, difference = agreement(a, b, relative, floors.get(key, floor))
        count, largest = tally.get(key, (0, 0.0))
        tally[key] = (count + 1, max(largest, difference))
        if not agree:
            where = ".".join(map(str, path)) or "answer"
            disagreements.append(f"{where}: expected {shown_value(a)}, got {shown_value(b)}")
    return tally, disagreements


def shown_value(value):
    text = repr(float(value) if isinstance(value, Decimal) else value)
    return text if len(text) <= 100 else text[:97] + "..."


# --- the command -------------------------------------------------------------------------------


def load_answer(path):
    """The parsed answer, or a message that says why it is no strict JSON."""

    def once(members):
        if len(dict(members)) < len(members):
            raise ValueError(f"a name is given twice among {[name for name, _ in members]}")
        return dict(members)

    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file, object_pairs_hook=once, parse_constant=refuse)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    except ValueError as error:
        return f"not strict JSON: {error}"


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadInput(message)


def main(arguments=None):
    parser = Parser(description="Recompute and compare an answer of /api/analytics/window.")
    parser.add_argument("--answer", required=True, help="the JSON that the API answered")
    parser.add_argument("--query", required=True, help="the query string of the request")
    parser.add_argument("--tolerance", type=float, default=1e-10, help="relative (default 1e-10)")
    parser.add_argument("--floor", type=float, default=1e-15, help="absolute (default 1e-15)")
    parser.add_argument("csv", nargs="+", help="daily or minute bars, plain or .gz")
    try:
        options = parser.parse_args(arguments)
        want = expected_answer(parse_query(options.query), options.csv)
        got = load_answer(options.answer)
    except BadInput as error:
        print(f"analytics.py: {error}", file=sys.stderr)
        return 2
    tally, disagreements = compare(want, got, options.tolerance, options.floor)
    for key, (count, largest) in tally.items():
        print(f"{key}: {count} figures, largest relative difference {largest:.1e}")
    for line in disagreements:
        print(line)
    total = sum(count for count, _ in tally.values())
    if disagreements:
        print(f"{len(disagreements)} of {total} figures disagree")
        return 1
    print(f"{total} figures agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
