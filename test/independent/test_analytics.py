"""Hand-worked cases for analytics.py: right answers pass, and each kind of wrong one is caught.

    python3 -m unittest discover test/independent
"""

import contextlib
import copy
import gzip
import io
import json
import sys
import tempfile
import unittest
from datetime import date, datetime, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import analytics  # noqa: E402

DAILY = {
    # Returns of the close: 0.1, -0.1, 0.1. A blank open on the 6th.
    "aaa_daily.csv": "Date,Open,High,Low,Close,Volume,Name\n"
    "2020-01-02,99,101,98,100,10,AAA\n"
    "2020-01-03,100,111,99,110,10,AAA\n"
    "2020-01-06,,110,97,99,10,AAA\n"
    "2020-01-07,99,109,99,108.9,10,AAA\n",
    # No symbol column: the symbol is the file name's. No bar on the 3rd. Returns -0.2 and 0.25.
    "bbb.daily.csv": "date,open,high,low,close,volume\n"
    "2020-01-02,50,51,49,50,10\n"
    "2020-01-06,45,46,39,40,10\n"
    "2020-01-07,45,51,44,50,10\n",
    # Never moves: returns 0, 0. Lasts longer than the others.
    "flat.csv": "DATE,OPEN,HIGH,LOW,CLOSE,VOLUME,SYMBOL\n"
    "2020-01-02,7,7,7,7,1,flat\n"
    "2020-01-06,7,7,7,7,1,flat\n"
    "2020-01-07,7,7,7,7,1,flat\n"
    "2020-02-03,7,7,7,7,1,flat\n",
}

# Minutes since New York midnight; 780 is 13:00, an early close on the Friday after Thanksgiving
# (2019-11-29, winter time: UTC is 5 hours ahead). 569 and 780 are outside the session.
MINUTE_BARS = [(569, 9), (570, 10), (574, 12), (575, 15), (579, 12), (779, 18), (780, 99)]


def minute_file():
    lines = ["ticker,date,ms_since_midnight_et,open,high,low,close,volume"]
    for minute, close in MINUTE_BARS:
        row = ["MMM", "2019-11-29", minute * 60000, close + 1, close + 2, close - 1, close, 1]
        lines.append(",".join(map(str, row)))
    return "\n".join(lines) + "\n"


BOTH = "splits_and_dividends"


def answer_of(symbols, first, last, calculations, ohlc="Close", interval="DAILY", **adjusted):
    adjusted = {"NONE": None, **adjusted}
    adjusted_for = {symbol: adjusted.get(symbol, "raw") for symbol in symbols.split(",")}
    meta = dict(
        symbols=symbols, min_dt=first, max_dt=last, ohlc=ohlc, interval=interval,
        adjusted_for=adjusted_for, suspected_splits=[],
    )
    return {"data": {"meta": meta, "payload": {"RETURNS_CALCULATIONS": calculations}}}


def fall(size, start, end):
    return {"max_drawdown": size, "drawdown_range": {"start_drawdown": start, "end_drawdown": end}}


class Answers(unittest.TestCase):
    def run_script(self, files, query, answer, *options):
        """(exit status, everything printed) of the script on files in a temporary folder."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder, name) for name in files]
            for path in paths:
                if path.suffix == ".gz":
                    path.write_bytes(gzip.compress(files[path.name].encode()))
                else:
                    path.write_text(files[path.name], encoding="utf-8")
            answer_file = Path(folder, "answer.json")
            answer_file.write_text(answer if isinstance(answer, str) else json.dumps(answer))
            arguments = ["--answer", str(answer_file), "--query", query, *options, *map(str, paths)]
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                status = analytics.main(arguments)
        return status, printed.getvalue()

    def assert_agrees(self, files, query, answer):
        status, printed = self.run_script(files, query, answer)
        self.assertEqual((status, printed), (0, printed))
        self.assertRegex(printed, r"\n\d+ figures agree\n$")

    def assert_disagrees(self, files, query, answer, *expected):
        status, printed = self.run_script(files, query, answer)
        self.assertEqual(status, 1, printed)
        for text in expected:
            self.assertIn(text, printed)

    # Returns 0.1, -0.1, 0.1: mean 1/30; deviations 1/15, -2/15, 1/15; squares 1, 4, 1 over 225.
    ONE = "symbols=aaa,AAA&range=full&calculations="
    ONE_ANSWER = answer_of("AAA", "2020-01-02", "2020-01-07", {
        "MIN": {"AAA": -0.1},
        "MAX": {"AAA": 0.1},
        "MEAN": {"AAA": 1 / 30},
        "MEDIAN": {"AAA": 0.1},
        "CUMULATIVE_RETURN": {"AAA": 0.089},  # 108.9 / 100 - 1
        "VARIANCE": {"AAA": 2 / 225},  # 6/225 over 3
        "STDDEV(ANNUALIZED=TRUE)": {"AAA": (2 / 225 * 252) ** 0.5},
        "MAX_DRAWDOWN": {"AAA": fall(-0.1, "2020-01-03", "2020-01-06")},  # 110 to 99
        "HISTOGRAM(BINS=2)": {"AAA": {"bin_count": [1, 2], "bin_edges": [-0.1, 0, 0.1]}},
        "AUTOCORRELATION": {"AAA": -2 / 3},  # (-2 - 2) / 6
        "AUTOCORRELATION(LAG=2)": {"AAA": 1 / 6},  # (1) / 6
        "AUTOCORRELATION(LAG=3)": {"AAA": None},
    })
    ONE += ("min,max,mean, MEDIAN,cumulative_return,variance,stddev( annualized = True ),"
            "max_drawdown,histogram(bins=2),autocorrelation,autocorrelation(lag=2),"
            "autocorrelation(lag=3)")

    def test_one_symbol(self):
        self.assert_agrees(DAILY, self.ONE, self.ONE_ANSWER)

    def changed(self, change):
        answer = copy.deepcopy(self.ONE_ANSWER)
        change(answer["data"]["payload"]["RETURNS_CALCULATIONS"], answer)
        return answer

    def test_each_kind_of_wrong_answer_is_caught(self):
        key = "data.payload.RETURNS_CALCULATIONS"
        cases = [
            (lambda p, a: p["MEAN"].update(AAA=1 / 30 * (1 + 2e-10)), f"{key}.MEAN.AAA: expected"),
            (lambda p, a: p["VARIANCE"].update(AAA=2 / 225 * (1 + 2e-10)), "VARIANCE.AAA"),
            (lambda p, a: p["MAX"].update(AAA=None), "expected 0.1, got None"),
            (lambda p, a: p["MAX"].update(AAA="0.1"), "expected 0.1, got '0.1'"),
            (lambda p, a: p["AUTOCORRELATION(LAG=3)"].update(AAA=0), "expected None, got 0"),
            (lambda p, a: p.pop("MIN"), f"{key}.MIN: expected {{"),
            (lambda p, a: p.update(EXTRA={}), f"{key}.EXTRA: expected nothing, got {{}}"),
            (lambda p, a: p["MIN"].update(BBB=None), f"{key}.MIN.BBB: expected nothing"),
            (lambda p, a: p["MIN"].pop("AAA"), "MIN.AAA: expected -0.1, got nothing"),
            (lambda p, a: p["HISTOGRAM(BINS=2)"]["AAA"].update(bin_count=[2, 1]), "bin_count.0"),
            (lambda p, a: p["HISTOGRAM(BINS=2)"]["AAA"]["bin_count"].append(0), "bin_count.2"),
            (lambda p, a: p["HISTOGRAM(BINS=2)"]["AAA"]["bin_edges"].pop(), "bin_edges.2"),
            (lambda p, a: p["MAX_DRAWDOWN"]["AAA"]["drawdown_range"].update(
                end_drawdown="2020-01-07"), "end_drawdown: expected '2020-01-06'"),
            (lambda p, a: a["data"]["meta"].update(max_dt="2020-01-06"), "data.meta.max_dt"),
            (lambda p, a: a["data"]["meta"].update(ohlc="close"), "data.meta.ohlc"),
            (lambda p, a: a["data"].update(payload=None), "data.payload: expected"),
            (lambda p, a: a.update(more=1), "more: expected nothing, got 1"),
        ]
        for change, line in cases:
            with self.subTest(line):
                self.assert_disagrees(DAILY, self.ONE, self.changed(change), line)
        status, printed = self.run_script(
            DAILY, self.ONE, self.changed(cases[0][0]), "--tolerance", "1e-9"
        )
        self.assertEqual(status, 0, printed)

    def test_not_a_number_and_twice_given_names_are_no_json(self):
        text = json.dumps(self.ONE_ANSWER)
        self.assert_disagrees(DAILY, self.ONE, text.replace("0.089", "NaN"), "NaN is not JSON")
        twice = text.replace('"MIN":', '"MIN": {}, "MIN":')
        self.assert_disagrees(DAILY, self.ONE, twice, "given twice")

    def test_matrices_join_prices_before_returns(self):
        # Common days: 2, 6, 7. AAA 100, 99, 108.9: returns -0.01, 0.1, deviations -+0.055.
        # BBB 50, 40, 50: returns -0.2, 0.25, deviations -+0.225. FLAT has no variance.
        aa, ab, bb = 252 * 0.055**2, 252 * 0.055 * 0.225, 252 * 0.225**2
        index = ["AAA", "FLAT", "BBB"]
        ones = [[1], [None, None], [1, None, 1]]
        answer = answer_of("AAA,FLAT,NONE,BBB", "2020-01-02", "2020-02-03", {
            "COVARIANCE(ANNUALIZED=1)": {
                "index": index,
                "covariance": [[aa], [None, None], [ab, None, bb]],
            },
            "CORRELATION": {"index": index, "correlation": ones},
            "CORRELATION(METHOD=KENDALL)": {"index": index, "correlation": ones},
            "CORRELATION(METHOD=SPEARMAN)": {"index": index, "correlation": ones},
        })
        query = ("symbols=AAA,FLAT,NONE,BBB&range=full&calculations=covariance(annualized=1),"
                 "correlation,correlation(method=kendall),correlation(method=Spearman)")
        self.assert_agrees(DAILY, query, answer)
        rows = answer["data"]["payload"]["RETURNS_CALCULATIONS"]["COVARIANCE(ANNUALIZED=1)"]
        rows["covariance"][2][0] = ab * (1 + 1e-9)
        self.assert_disagrees(DAILY, query, answer, "covariance.2.0: expected 3.1185")

    def test_constant_single_and_missing_series(self):
        # From 2020-01-07: AAA and BBB have one price, FLAT two (return 0), NONE none.
        one_price = fall(0, None, None)
        bins = {"bin_count": [0, 1, 0], "bin_edges": [-0.5, -1 / 6, 1 / 6, 0.5]}
        answer = answer_of("FLAT,AAA,NONE", "2020-01-07", "2020-02-03", {
            "CUMULATIVE_RETURN": {"FLAT": 0, "AAA": 0, "NONE": None},
            "MAX_DRAWDOWN": {"FLAT": one_price, "AAA": one_price, "NONE": None},
            "MEAN": {"FLAT": 0, "AAA": None, "NONE": None},
            "VARIANCE": {"FLAT": None, "AAA": None, "NONE": None},
            "AUTOCORRELATION": {"FLAT": None, "AAA": None, "NONE": None},
            "HISTOGRAM(BINS=3)": {"FLAT": bins, "AAA": None, "NONE": None},
            "CORRELATION": {"index": ["FLAT", "AAA"], "correlation": [[None], [None, None]]},
        })
        query = ("symbols=FLAT,AAA,NONE&range=2020-01-07&calculations=CUMULATIVE_RETURN,"
                 "MAX_DRAWDOWN,MEAN,VARIANCE,AUTOCORRELATION,HISTOGRAM(BINS=3),CORRELATION")
        self.assert_agrees(DAILY, query, answer)

    def test_none_with_data(self):
        nothing = {"data": {"meta": None, "payload": None}}
        query = "symbols=NONE&range=full&calculations=MEAN"
        self.assert_agrees(DAILY, query, nothing)
        self.assert_disagrees(DAILY, query, self.ONE_ANSWER, "data.meta: expected")

    def test_blank_open_is_no_data_point(self):
        # Opens 99, 100, (blank), 99: returns 1/99 and -0.01.
        answer = answer_of("AAA", "2020-01-02", "2020-01-07",
                           {"MIN": {"AAA": -0.01}, "MAX": {"AAA": 1 / 99}}, ohlc="Open")
        self.assert_agrees(DAILY, "symbols=AAA&range=full&ohlc=OPEN&calculations=MIN,MAX", answer)

    def test_weekly_and_monthly_are_one_point_per_period(self):
        # ISO weeks end for FLAT on 2 and 7 January and 3 February, for AAA on the 3rd and the 7th:
        # 108.9 / 110 - 1 = -0.01.
        query = "symbols=AAA,FLAT&range=full&interval=weekly&calculations=MEAN"
        means = {"MEAN": {"AAA": -0.01, "FLAT": 0}}
        weekly = answer_of("AAA,FLAT", "2020-01-02", "2020-02-03", means, interval="WEEKLY")
        self.assert_agrees(DAILY, query, weekly)
        weekly["data"]["meta"]["min_dt"] = "2020-01-03"
        self.assert_disagrees(DAILY, query, weekly, "data.meta.min_dt: expected '2020-01-02'")
        monthly = answer_of("FLAT", "2020-01-07", "2020-02-03",
                            {"VARIANCE(ANNUALIZED=TRUE)": {"FLAT": None}}, interval="MONTHLY")
        query = "symbols=FLAT&range=full&interval=MONTHLY&calculations=VARIANCE(annualized=true)"
        self.assert_agrees(DAILY, query, monthly)

    def test_adjusted_close_scales_all_prices(self):
        # Factors 0.5 and 1: lows 9 * 0.5 = 4.5 and 9: one return of 1. Blank: the raw price, 18.
        files = {"CCC_x.csv": "Date,Open,High,Low,Close,Adj Close,Volume\n"
                 "2020-01-02,10,12,9,11,5.5,1\n"
                 "2020-01-03,10,12,9,11,11,1\n"
                 "2020-01-06,20,24,18,22,,1\n"}
        answer = answer_of(
            "CCC", "2020-01-02", "2020-01-03", {"MEAN": {"CCC": 1}}, ohlc="Low", CCC=BOTH)
        query = "symbols=CCC&range=full&range_end=2020-01-03&ohlc=low&calculations=MEAN"
        self.assert_agrees(files, query, answer)
        answer = answer_of(
            "CCC", "2020-01-02", "2020-01-06", {"MEAN": {"CCC": 1}}, ohlc="Low", CCC=BOTH)
        self.assert_agrees(files, "symbols=CCC&range=full&ohlc=low&calculations=MEAN", answer)

    def test_minute_bars_of_the_session(self):
        # 5-minute bars from 14:30 UTC: closes 12 (of 10, 12), 12 (of 15, 12), 18; highs 14, 17, 20.
        files = {"minutes.csv.gz": minute_file()}
        first, last = "2019-11-29T14:30:00Z", "2019-11-29T17:55:00Z"
        factor = 252 * 390 / 5
        closes = answer_of("MMM", first, last, {
            "MEAN": {"MMM": 0.25},  # returns 0, 0.5
            "VARIANCE(ANNUALIZED=TRUE)": {"MMM": 0.0625 * factor},
            "MAX_DRAWDOWN": {"MMM": fall(0, None, None)},
        }, interval="5min")
        query = "&interval=5MIN&calculations=MEAN,VARIANCE(annualized=true),MAX_DRAWDOWN"
        self.assert_agrees(files, "symbols=MMM&range=full" + query, closes)
        highs = answer_of("MMM", first, last, {"MAX": {"MMM": 3 / 14}}, "High", "5min")
        self.assert_agrees(
            files, "symbols=MMM&range=1day&interval=5min&ohlc=high&calculations=MAX", highs
        )
        # Minute closes 10, 12, 15, 12, 18: the deepest fall is 15 to 12, from 09:35 to 09:39.
        ones = answer_of("MMM", first, "2019-11-29T17:59:00Z", {"MAX_DRAWDOWN": {
            "MMM": fall(-0.2, "2019-11-29T14:35:00Z", "2019-11-29T14:39:00Z")}}, interval="1min")
        self.assert_agrees(
            files, "symbols=MMM&range=2019-11&interval=1min&calculations=MAX_DRAWDOWN", ones
        )

    def test_bad_usage(self):
        good = "symbols=AAA&range=full&calculations=MEAN"
        queries = [
            "symbols=AAA&range=full", good + "&colour=red", good + "&symbols=BBB", good + ",MODE",
            good + "(lag=1)", good + ",HISTOGRAM(bins=0)", good + "&interval=2min",
            good + "&ohlc=last", good + "&interval=1min", good + "&range_end=2020-02-30",
            good.replace("full", "5minute"), good.replace("full", "2months"),
            good.replace("AAA", "A_"),
        ]
        for query in queries:
            with self.subTest(query):
                status, printed = self.run_script(DAILY, query, self.ONE_ANSWER)
                self.assertEqual((status, printed.count("\n")), (2, 1), printed)
        status, printed = self.run_script(DAILY, good, self.ONE_ANSWER, "--no-such-flag")
        self.assertEqual((status, printed.count("\n")), (2, 1), printed)
        header = "Date,Open,High,Low,Close\n"
        for text in ("a,b\n1,2\n", header + "2020-01-02,1,1,1,x\n", header + "2020-01-02,1,1,1,0\n",
                     header + "2020-01-02,1,1,1,1\n2020-01-02,1,1,1,2\n"):
            status, printed = self.run_script({"AAA.csv": text}, good, self.ONE_ANSWER)
            self.assertEqual((status, printed.count("\n")), (2, 1), printed)


if __name__ == "__main__":
    unittest.main()
