"""From CSV files to the data points of a window: (time, price) per symbol.

Times are datetimes without zone: the trading date at midnight for daily bars, UTC for intraday
bars. Prices are exact fractions of the file's currency unit. Regular sessions are inside one UTC
day, so a calendar date bounds intraday bars alike in New York and in UTC.
"""

import csv
import gzip
import re
from calendar import monthrange
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from pathlib import Path

MINUTES = {"1min": 1, "5min": 5, "15min": 15, "30min": 30, "60min": 60}
MINUTE_MS = 60_000
OPEN_MS = (9 * 60 + 30) * MINUTE_MS
CLOSE_MS = 16 * 60 * MINUTE_MS
EARLY_CLOSE_MS = 13 * 60 * MINUTE_MS
MON, TUE, THU, FRI, SUN = 0, 1, 3, 4, 6

RELATIVE = re.compile(r"(\d+)(minute|hour|day|week|month|year)", re.I)
INSTANT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(\.\d+)?(Z|[ +-]\d\d:?\d\d)?", re.I)


class BadInput(Exception):
    """A query, file or option that cannot be used; the message is one line."""


# --- files -------------------------------------------------------------------------------------


def read_prices(paths, symbols, ohlc, intraday):
    """Chosen prices of the requested symbols, and the last trading date of all symbols in the files.

    Returns ({symbol: {date or (date, ms since New York midnight): price}}, date). Only files of the
    interval's shape are used: minute bars have a column `ms_since_midnight_et`, daily bars do not.
    """
    found, last_day = {symbol: {} for symbol in symbols}, None
    for path in map(Path, paths):
        try:
            for row in rows_of(path):
                if ("ms_since_midnight_et" in row) != intraday:
                    break
                day = date.fromisoformat(row["date"][:10])
                last_day = max(last_day or day, day)
                points = found.get(row["symbol"])
                price = None if points is None else price_of(row, ohlc)
                if price is not None:
                    key = (day, int(row["ms_since_midnight_et"])) if intraday else day
                    if points.setdefault(key, price) != price:
                        raise ValueError(f"two prices for {row['symbol']} at {row['date']}")
        except (OSError, EOFError, ValueError, KeyError, ArithmeticError, csv.Error) as error:
            raise BadInput(f"{path}: {error}") from error
    if last_day is None:
        raise BadInput(f"no {'minute' if intraday else 'daily'} bars in the files given")
    return found, last_day


def adjusted_days(paths, symbols):
    """The dates of the daily bars with an adjusted close, by symbol."""
    found = {symbol: set() for symbol in symbols}
    for path in map(Path, paths):
        for row in rows_of(path):
            if "ms_since_midnight_et" in row:
                break
            if row["symbol"] in found and adjusted_close(row) and row["close"]:
                found[row["symbol"]].add(date.fromisoformat(row["date"][:10]))
    return found


def adjusted_for(series, adjusted):
    """By symbol, what its prices are adjusted for: the files have no splits and dividends of their own."""
    return {symbol: kind_of(points, adjusted[symbol]) for symbol, points in series.items()}


def kind_of(points, adjusted):
    if not points:
        return None
    first, last = points[0][0].date(), points[-1][0].date()
    return "splits_and_dividends" if any(first <= day <= last for day in adjusted) else "raw"


SPLITS = [(new, 1) for new in (2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 40, 50, 100)]
RATIOS = [(3, 2), (2, 3), *SPLITS, *((old, new) for new, old in SPLITS)]


def suspected_splits(paths, query, first, last):
    """Days of the regular session from `first` to `last` that open within 3 % of a ratio of splits.

    The ratio is the last close before the day to its open. Of minute bars: no file of daily bars that is compared has such
    a day.
    """
    if not query.intraday:
        return []
    symbols = query.symbols
    opens, _ = read_prices(paths, symbols, "open", True)
    closes, _ = read_prices(paths, symbols, "close", True)
    found = []
    for symbol in symbols:
        times = sorted(key for key in closes[symbol] if OPEN_MS <= key[1] < close_ms(key[0]))
        for before, key in zip(times, times[1:]):
            if before[0] == key[0] or not first <= key[0] <= last:
                continue
            moved = closes[symbol][before] / opens[symbol][key]
            for new, old in RATIOS:
                if abs(moved * old / new - 1) <= Fraction(3, 100):
                    found.append({"symbol": symbol, "date": key[0].isoformat(), "ratio": f"{new}:{old}"})
    return found


def rows_of(path):
    """Rows as {lower-case column: text}; `symbol` is the row's, or else the file name's."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(file)
        header = [name.strip().lower() for name in next(lines, [])]
        if not {"date", "open", "high", "low", "close"} <= set(header):
            raise ValueError("not a header of daily or minute bars")
        named = next((n for n in ("symbol", "ticker", "name") if n in header), None)
        for line in filter(None, lines):
            row = dict(zip(header, (cell.strip() for cell in line)))
            row["symbol"] = (row[named] if named else re.split("[_.]", path.name)[0]).upper()
            yield row


def price_of(row, ohlc):
    """The price, times adjusted close / close where the row has both; None for a blank cell."""
    if not row[ohlc]:
        return None
    price = Fraction(row[ohlc])
    adjusted = adjusted_close(row)
    if adjusted and row["close"]:
        price *= Fraction(adjusted) / Fraction(row["close"])
    if price <= 0:
        raise ValueError(f"price {row[ohlc]} on {row['date']} is not positive")
    return price


def adjusted_close(row):
    return next((row[n] for n in row if re.fullmatch(r"adj(usted|\.)?[ _]?close", n)), "")


# --- New York time -----------------------------------------------------------------------------


def nth_weekday(year, month, weekday, nth):
    first = date(year, month, 1)
    return first + timedelta((weekday - first.weekday()) % 7 + 7 * (nth - 1))


def hours_behind_utc(day):
    """4 in summer time, else 5, at trading hours of `day`: US rules since 1987 and since 2007."""
    if day.year >= 2007:
        spring, autumn = nth_weekday(day.year, 3, SUN, 2), nth_weekday(day.year, 11, SUN, 1)
    else:
        spring = nth_weekday(day.year, 4, SUN, 1)
        autumn = nth_weekday(day.year, 11, SUN, 1) - timedelta(7)
    return 4 if spring <= day < autumn else 5


def utc_time(day, ms):
    """The UTC time of `ms` milliseconds after New York midnight of `day`."""
    return datetime.combine(day, time()) + timedelta(hours=hours_behind_utc(day), milliseconds=ms)


def close_ms(day):
    """End of the regular session, by rule: 13:00 on the NYSE's early-close days, else 16:00."""
    early = (
        (day.month, day.day) == (7, 3) and day.year >= 1995
        and TUE <= date(day.year, 7, 4).weekday() <= FRI
        or day == nth_weekday(day.year, 11, THU, 4) + timedelta(1)
        or (day.month, day.day) == (12, 24) and MON <= day.weekday() <= THU
    )
    return EARLY_CLOSE_MS if early else CLOSE_MS


# --- the window --------------------------------------------------------------------------------


def window(range_text, range_end, intraday, last_day):
    """First and last moment, both inclusive, of `range` and `range_end` (None if absent)."""
    until = moments(range_end, intraday)[1] if range_end else datetime.max
    relative = RELATIVE.fullmatch(range_text)
    if relative:
        first, last = moments(range_end or last_day.isoformat(), intraday)
        count, unit = int(relative[1]), relative[2].lower()
        is_day = first != last  # then `last` is the end of that day, or of that month's last day
        if unit in ("minute", "hour"):
            if not intraday:
                raise BadInput(f"range {range_text} needs an intraday interval")
            anchor = utc_time(last.date(), close_ms(last.date())) if is_day else last
        else:
            anchor = datetime.combine(last.date(), time()) if is_day else last
        return back(anchor, count, unit), last
    if range_text.lower() == "full":
        return datetime.min, until
    first, last = moments(range_text, intraday)
    is_month = re.fullmatch(r"\d{4}-\d\d", range_text)
    return first, last if is_month and not range_end else until


def moments(text, intraday):
    """First and last moment of a month or a day; an ISO datetime is one moment, in UTC."""
    try:
        instant = INSTANT.fullmatch(text)
        if instant and intraday:
            day, minute, second, part, zone = instant.groups()
            moment = datetime.fromisoformat(f"{day}T{minute}{second or ':00'}")
            moment += timedelta(seconds=float(part or 0))
            if zone and zone.upper() != "Z":  # a `+` in a URL is decoded as a space
                offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
                moment += offset if zone[0] == "-" else -offset
            return moment, moment
        if re.fullmatch(r"\d{4}-\d\d", text):
            first = date.fromisoformat(text + "-01")
            last = first.replace(day=monthrange(first.year, first.month)[1])
        elif re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            first = last = date.fromisoformat(text)
        else:
            raise ValueError("not a known form")
    except ValueError as error:
        raise BadInput(f"range or range_end {text!r}: {error}") from error
    return datetime.combine(first, time.min), datetime.combine(last, time.max)


def back(moment, count, unit):
    """`count` calendar units before `moment`; months and years clamp to the month's last day."""
    try:
        if unit not in ("month", "year"):
            return moment - timedelta(**{unit + "s": count})
        months = moment.year * 12 + moment.month - 1 - count * (12 if unit == "year" else 1)
        year, month = months // 12, months % 12 + 1
        day = min(moment.day, monthrange(year, month)[1])
        return moment.replace(year=year, month=month, day=day)
    except (OverflowError, ValueError):
        return datetime.min


# --- bars --------------------------------------------------------------------------------------


def data_points(prices, interval, ohlc, first, last):
    """The series of one symbol inside the window: [(time, price)], ascending."""
    if interval in MINUTES:
        bars = session_bars(prices, MINUTES[interval], ohlc)
    else:
        bars = [(datetime.combine(day, time()), prices[day]) for day in sorted(prices)]
    inside = [(moment, price) for moment, price in bars if first <= moment <= last]
    if interval in PERIODS:
        return one_of_each(inside, PERIODS[interval], ohlc)
    return inside


# The week or month of a moment; ISO weeks, from Monday.
PERIODS = {
    "WEEKLY": lambda moment: tuple(moment.isocalendar())[:2],
    "MONTHLY": lambda moment: (moment.year, moment.month),
}

CHOOSE = {"open": lambda bar: bar[0], "high": max, "low": min, "close": lambda bar: bar[-1]}


def one_of_each(points, period, ohlc):
    """One point per period: its last moment, and its first open, highest high, lowest low or last close."""
    periods = {}
    for moment, price in points:
        periods.setdefault(period(moment), []).append((moment, price))
    return [(bars[-1][0], CHOOSE[ohlc]([price for _, price in bars])) for bars in periods.values()]


def session_bars(prices, minutes, ohlc):
    """N-minute bars on marks from 09:30 of the 1-minute bars that start in the regular session."""
    buckets = {}
    for day, ms in sorted(prices):
        if OPEN_MS <= ms < close_ms(day):
            mark = ms - (ms - OPEN_MS) % (minutes * MINUTE_MS)
            buckets.setdefault(utc_time(day, mark), []).append(prices[day, ms])
    return [(moment, CHOOSE[ohlc](bar)) for moment, bar in buckets.items()]
