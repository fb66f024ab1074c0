"""Checks windows and formulas of the recomputation by hand, by rule and by slow counting."""

import random
import sys
import unittest
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import analytics  # noqa: E402
import figures  # noqa: E402
import prices  # noqa: E402


def fall(size, start, end):
    return {"max_drawdown": size, "drawdown_range": {"start_drawdown": start, "end_drawdown": end}}


class Windows(unittest.TestCase):
    """The last trading date is Friday 2013-11-29, with a close at 13:00 New York, 18:00 UTC."""

    LAST_DAY = date(2013, 11, 29)
    EVER, LATEST = datetime.min, datetime.max

    def assert_windows(self, intraday, cases):
        for range_text, range_end, first, last in cases:
            with self.subTest(range=range_text, range_end=range_end):
                found = prices.window(range_text, range_end, intraday, self.LAST_DAY)
                self.assertEqual(found, (self.moment(first), self.moment(last, time.max)))

    def moment(self, text, at=time.min):
        if isinstance(text, datetime):
            return text
        return datetime.combine(date.fromisoformat(text), at) if len(text) == 10 else (
            datetime.fromisoformat(text))

    def test_days_and_longer(self):
        self.assert_windows(False, [
            ("full", None, self.EVER, self.LATEST),
            ("FULL", "2012-02", self.EVER, "2012-02-29"),
            ("3day", None, "2013-11-26", "2013-11-29"),
            ("2WEEK", None, "2013-11-15", "2013-11-29"),
            ("9month", None, "2013-02-28", "2013-11-29"),  # no 29 February in 2013
            ("1month", "2016-03-31", "2016-02-29", "2016-03-31"),
            ("1year", "2016-02-29", "2015-02-28", "2016-02-29"),
            ("1month", "2016-02", "2016-01-29", "2016-02-29"),
            ("9999year", None, self.EVER, "2013-11-29"),
            ("2012-02", None, "2012-02-01", "2012-02-29"),
            ("2012-02", "2012-06", "2012-02-01", "2012-06-30"),
            ("2012-02-10", None, "2012-02-10", self.LATEST),
            ("2012-02-10", "2012-02-11", "2012-02-10", "2012-02-11"),
        ])

    def test_intraday(self):
        self.assert_windows(True, [
            ("30minute", None, "2013-11-29T17:30:00", "2013-11-29"),
            ("2hour", "2013-07-10", "2013-07-10T18:00:00", "2013-07-10"),  # close 20:00 UTC
            ("90minute", "2013-07-10T15:00:00Z", "2013-07-10T13:30:00", "2013-07-10T15:00:00"),
            ("1day", "2013-07-10T15:00", "2013-07-09T15:00:00", "2013-07-10T15:00:00"),
            ("1day", None, "2013-11-28", "2013-11-29"),
            ("2013-07-10T10:00:00-04:00", None, "2013-07-10T14:00:00", self.LATEST),
            ("2013-07-10T16:00:00 02:00", "2013-07-11", "2013-07-10T14:00:00", "2013-07-11"),
        ])

    def test_early_closes(self):
        early = ["2013-07-03", "2014-07-03", "2013-11-29", "2014-11-28", "2013-12-24", "2015-12-24"]
        late = ["2015-07-02", "1994-07-01", "2016-07-01", "2021-12-24", "2013-11-28", "2013-07-02"]
        for text in early + late:
            close = 13 if text in early else 16
            self.assertEqual(prices.close_ms(date.fromisoformat(text)), close * 3600000, text)

    def test_summer_time_as_in_the_zone_database(self):
        try:
            from zoneinfo import ZoneInfo

            zone = ZoneInfo("America/New_York")
        except (ImportError, KeyError):
            self.skipTest("no zone database here")
        for days in range(0, 366 * 30):
            noon = datetime(1998, 1, 1, 12, tzinfo=zone) + timedelta(days)
            hours = -noon.utcoffset() / timedelta(hours=1)
            self.assertEqual(prices.hours_behind_utc(noon.date()), hours, noon)


class Formulas(unittest.TestCase):
    def returns(self, texts):
        exact = [Decimal(text) for text in texts]
        return figures.Returns(exact, [float(value) for value in exact])

    def test_autocorrelation_certified_by_nist(self):
        # NIST StRD, univariate summary statistics: NumAcc1 -0.5, NumAcc2 -0.999 (lag 1).
        first = self.returns(["10000001", "10000003", "10000002"])
        second = self.returns(["1.2"] + ["1.1", "1.3"] * 500)
        self.assertEqual(figures.autocorrelation(first, 1), Decimal("-0.5"))
        self.assertAlmostEqual(float(figures.autocorrelation(second, 1)), -0.999, places=14)

    def test_floor_shrinks_with_products_of_returns(self):
        # Variances up to 1e-8 are of returns of about 1e-4: a floor of 1e-15 becomes 1e-19.
        tree = {"A": Decimal("1e-8"), "B": Decimal("1e-10"), "C": None}
        self.assertAlmostEqual(analytics.floor_for("VARIANCE", tree, 1e-15) / 1e-19, 1, places=9)
        self.assertEqual(analytics.floor_for("MEAN", tree, 1e-15), 1e-15)

    def test_ranks_with_ties(self):
        # x 1, 2, 2, 3 and y 1, 3, 2, 2: three pairs agree, one does not, one tie in each: 2 / 5.
        # Ranks 1, 2.5, 2.5, 4 and 1, 4, 2.5, 2.5: deviations multiply to 2.25 of 4.5.
        xs, ys = [1.0, 2.0, 2.0, 3.0], [1.0, 3.0, 2.0, 2.0]
        self.assertEqual(figures.kendall_tau_b(xs, ys), Decimal("0.4"))
        self.assertEqual(figures.mean_ranks(ys), [Decimal(r) for r in ("1", "4", "2.5", "2.5")])
        ranks = figures.mean_ranks(xs), figures.mean_ranks(ys)
        self.assertEqual(figures.pearson(*ranks), Decimal("0.5"))

    def test_kendall_by_counting_all_pairs(self):
        source = random.Random(7)
        for _ in range(100):
            size = source.randint(2, 30)
            xs, ys = ([source.randint(0, 9) for _ in range(size)] for _ in range(2))
            if len(set(xs)) < 2 or len(set(ys)) < 2:
                continue
            signs = [((a > c) - (a < c), (b > d) - (b < d))
                     for i, (a, b) in enumerate(zip(xs, ys)) for c, d in list(zip(xs, ys))[:i]]
            balance = sum(p * q for p, q in signs)
            product = sum(p * p for p, _ in signs) * sum(q * q for _, q in signs)
            found = float(figures.kendall_tau_b(xs, ys))
            self.assertAlmostEqual(found, balance / product**0.5, places=14)

    def test_drawdown_ties(self):
        # 10 twice before the fall to 8 twice, then 20 to 16: the same fall. The first of each.
        points = list(zip("abcdefg", [10, 10, 9, 8, 8, 20, 16]))
        found = figures.max_drawdown([(t, Fraction(p)) for t, p in points])
        self.assertEqual(found, fall(Decimal("-0.2"), "a", "d"))

    def test_histogram_edges(self):
        # Edges 0, 1, 2, 3, 4: a value on an edge falls to the right, the last bin is closed.
        found = figures.histogram(self.returns(["0", "1", "1.5", "3", "4", "4"]), 4)
        self.assertEqual(found, {"bin_count": [1, 2, 0, 3], "bin_edges": [0, 1, 2, 3, 4]})


if __name__ == "__main__":
    unittest.main()
