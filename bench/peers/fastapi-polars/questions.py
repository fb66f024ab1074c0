"""The questions as lazy frames: each takes the parameters as text."""

import os
from datetime import date, timedelta
from decimal import Decimal

import polars as pl
from polars import col

DATA = os.environ["DATA"]


def table(name: str) -> pl.LazyFrame:
    return pl.scan_parquet(f"{DATA}/{name}.parquet")


def table_of_day(name: str, day: str) -> pl.LazyFrame:
    return table(f"{name}/{date.fromisoformat(day)}")


TRADE = """id option_chain_id underlying_symbol option_type strike expiry executed_at price size premium volume
    open_interest underlying_price exchange canceled is_agg ask_vol bid_vol mid_vol no_side_vol multi_vol
    stock_multi_vol nbbo_bid nbbo_ask nbbo_bid_size nbbo_ask_size nbbo_bid_time nbbo_ask_time ewma_nbbo_bid
    ewma_nbbo_ask delta gamma theta vega rho theo implied_volatility flow_alert_id rule_id tags report_flags
    upstream_condition_detail full_name industry_type issue_type sector marketcap er_time next_earnings_date""".split()


def contract_flow(asked):
    day = date.fromisoformat(asked["date"])
    trades = (
        table_of_day("option_trades", asked["date"])
        .filter(col("option_chain_id") == asked["id"])
        .sort(["executed_at", "id"], descending=[True, False])
        .head(int(asked["limit"]))
    )
    alerts = (
        table("flow_alerts")
        .filter((col("option_chain") == asked["id"]) & (col("date") == day))
        .select("trade_ids", "created_at", col("id").alias("flow_alert_id"), col("alert_rule").alias("rule_id"))
        .explode("trade_ids")
        .sort(["created_at", "flow_alert_id"])
        .unique("trade_ids", keep="first", maintain_order=True)
    )
    known = (
        table("tickers")
        .filter(col("date") <= day)
        .sort("date")
        .unique("ticker", keep="last", maintain_order=True)
        .drop("date")
    )
    return (
        trades.join(alerts, left_on="id", right_on="trade_ids", how="left")
        .join(known, left_on="underlying_symbol", right_on="ticker", how="left")
        .sort(["executed_at", "id"], descending=[True, False])
        .select(TRADE)
    )


CONTRACT = """option_symbol ticker_symbol option_type strike expiry volume open_interest prev_oi trades premium avg_price open
    high low close chain_prev_close last_fill ask_side_volume bid_side_volume mid_volume no_side_volume sweep_volume
    floor_volume cross_volume multileg_volume stock_multi_leg_volume total_ask_changes total_bid_changes ticker_vol
    stock_price bid ask iv delta gamma theta vega roc days_of_oi_increases days_of_vol_greater_than_oi
    ask_side_perc_7_day bid_side_perc_7_day is_new issue_type marketcap dte ticker_30_d_avg_volume
    contract_30_d_avg_volume sector next_earnings_date er_time""".split()


def screener(asked):
    is_call = col("option_type") == "call"
    out_of_the_money = (is_call & (col("strike") > col("stock_price"))) | (
        ~is_call & (col("strike") < col("stock_price"))
    )
    return (
        table_of_day("contract_days", asked["date"])
        .filter(
            (col("option_type") == asked["type"])
            & (col("dte") <= int(asked["max_dte"]))
            & (col("premium") >= Decimal(asked["min_premium"]))
            & out_of_the_money
            & (col("volume") > 0)
            & (col("ask_side_volume") >= float(asked["min_ask_perc"]) * col("volume"))
        )
        .sort(["premium", "option_symbol"], descending=[True, False], nulls_last=True)
        .head(int(asked["limit"]))
        .with_columns(
            col("underlying_symbol").alias("ticker_symbol"),
            col("sector").fill_null(""),
            col("er_time").fill_null("unknown"),
        )
        .select(CONTRACT)
    )


def open_interest(asked):
    of = lambda side: col("open_interest").filter((col("option_type") == side) & col("open_interest").is_not_null())
    sums = [pl.when(of(side).len() > 0).then(of(side).sum()).alias(f"{side}_oi") for side in ("call", "put")]
    return (
        table_of_day("contract_days", asked["date"])
        .filter(col("underlying_symbol") == asked["ticker"])
        .group_by("date", "expiry")
        .agg(sums)
        .sort("expiry")
    )


GREEKS = ["delta", "gamma", "theta", "vega", "rho", "charm", "vanna"]


def greeks(asked):
    chain = table_of_day("option_chain_days", asked["date"]).filter(
        (col("underlying_symbol") == asked["ticker"]) & (col("expiry") == date.fromisoformat(asked["expiry"]))
    )

    def side(name):
        return chain.filter(col("option_type") == name).select(
            "strike",
            "date",
            "expiry",
            col("option_symbol").alias(f"{name}_option_symbol"),
            *[col(greek).alias(f"{name}_{greek}") for greek in GREEKS],
            col("implied_volatility").alias(f"{name}_volatility"),
        )

    return side("call").join(side("put"), on=["strike", "date", "expiry"], how="full", coalesce=True).sort("strike")


def price_levels(asked):
    return (
        table_of_day("price_levels", asked["date"])
        .filter(col("ticker") == asked["ticker"])
        .select("price", "dark_pool_volume", "regular_volume")
        .sort("price")
    )


def insider_trades(asked):
    notional = (col("shares").cast(pl.Decimal(38, 10)) * col("price")).cast(pl.Decimal(38, 10))
    of = lambda code: col("transaction_code") == code
    zero = Decimal("0.0000000000")
    return (
        table("insider_trades")
        .filter((col("ticker") == asked["ticker"]) & col("transaction_code").is_in(["P", "S"]))
        .with_columns(notional.fill_null(zero).alias("notional"))
        .group_by("filing_date")
        .agg(
            of("P").sum().alias("purchases"),
            col("notional").filter(of("P")).sum().alias("purchases_notional"),
            of("S").sum().alias("sells"),
            (col("notional").filter(of("S")).sum() * -1).cast(pl.Decimal(38, 10)).alias("sells_notional"),
        )
        .sort("filing_date", descending=True)
    )


def candles(asked):
    end = date.fromisoformat(asked["date"]) + timedelta(days=1)
    return (
        table("crypto_candles")
        .filter((col("pair") == asked["pair"]) & (col("start") < end))
        .with_columns(col("start").dt.truncate("1h").alias("start_time"))
        .group_by("pair", "start_time")
        .agg(
            col("open").sort_by("start").first(),
            col("high").max(),
            col("low").min(),
            col("close").sort_by("start").last(),
            col("volume").sum(),
        )
        .with_columns((col("start_time") + timedelta(hours=1)).alias("timestamp"))
        .sort("start_time", descending=True)
        .head(int(asked["limit"]))
    )


POLITICIAN = """politician_id name reporter member_type is_active issuer ticker txn_type amounts transaction_date filed_at_date notes""".split()


def congress(asked):
    trades = table("congress_trades")
    since = col("filed_at_date").max().dt.offset_by(f"-{int(asked['last_traded_within_months'])}mo")
    return (
        trades.filter(col("transaction_date") >= since)
        .sort(
            ["transaction_date", "filed_at_date", "ticker", "id"],
            descending=[True, True, False, False],
            nulls_last=True,
        )
        .unique("politician_id", keep="first", maintain_order=True)
        .sort(["transaction_date", "name", "politician_id"], descending=[True, False, False])
        .select(POLITICIAN)
    )


def analytics(asked):
    change = col("price") / col("price").shift(1).over("ticker") - 1
    return (
        table("stock_days")
        .filter(
            col("ticker").is_in(asked["symbols"].split(","))
            & col("date").is_between(date.fromisoformat(asked["range"]), date.fromisoformat(asked["range_end"]))
        )
        .select(col("ticker").alias("ticker"), "date", col("adjusted_close").cast(pl.Float64).alias("price"))
        .sort(["ticker", "date"])
        .with_columns(change.alias("change"))
        .group_by(col("ticker").alias("symbol"))
        .agg(
            col("change").min().alias("min"),
            col("change").max().alias("max"),
            col("change").mean().alias("mean"),
            col("change").std(ddof=0).alias("stddev"),
            (col("price").last() / col("price").first() - 1).alias("cumulative_return"),
        )
        .sort("symbol")
    )


CROSS = ["slcn", "slci", "mlct", "tlct"]
FLOOR = ["slft", "mlft", "mfsl", "tlft", "tfsl"]


def volume_profile(asked):
    detail = col("upstream_condition_detail")
    return (
        table_of_day("option_trades", asked["date"])
        .filter((col("option_chain_id") == asked["id"]) & ~col("canceled"))
        .group_by("price", "date")
        .agg(
            col("size").sum().alias("volume"),
            pl.len().alias("transactions"),
            col("ask_vol", "bid_vol", "mid_vol", "multi_vol").sum(),
            col("size").filter(detail.is_in(CROSS)).sum().alias("cross_vol"),
            col("size").filter(detail.is_in(FLOOR)).sum().alias("floor_vol"),
            col("size").filter(detail == "isoi").sum().alias("sweep_vol"),
        )
        .sort("price")
    )


HOLDING = """ticker name short_name type sector has_options weight shares open high low close prev_price volume avg30_volume
    week52_high week52_low week_52_high week_52_low call_volume put_volume call_premium put_premium bullish_premium
    bearish_premium""".split()


def holdings(asked):
    lists = table("etf_holdings").filter(col("etf") == asked["ticker"]).filter(col("date") == col("date").max())
    stocks = table("stock_days").filter(col("date") == col("date").max()).drop("date")
    options = table("option_ticker_days").filter(col("date") == col("date").max()).drop("date", "volume")
    return (
        lists.with_columns(col("shares").cast(pl.Float64).round(0, mode="half_to_even").cast(pl.Int64))
        .join(stocks, on="ticker", how="left")
        .join(options, on="ticker", how="left")
        .with_columns(
            col("sector").fill_null(""),
            col("previous_close").alias("prev_price"),
            col("week52_high").alias("week_52_high"),
            col("week52_low").alias("week_52_low"),
        )
        .sort(["weight", "ticker", "name"], descending=[True, False, False])
        .select(HOLDING)
    )


ALERT = """alert_rule ticker option_chain type strike expiry expiry_count issue_type created_at price underlying_price
    open_interest volume volume_oi_ratio total_size trade_count total_premium total_ask_side_prem total_bid_side_prem
    all_opening_trades has_floor has_sweep has_multileg has_singleleg""".split()


def flow_alerts(asked):
    return (
        table("flow_alerts")
        .filter(
            (col("ticker") == asked["ticker_symbol"])
            & (col("total_premium") >= Decimal(asked["min_premium"]))
            & (col("has_floor") == (asked["is_floor"] == "true"))
        )
        .sort(["created_at", "id"], descending=[True, False])
        .head(int(asked["limit"]))
        .select(ALERT)
    )


QUESTIONS = {
    "contract-flow": contract_flow,
    "screener-option-contracts": screener,
    "oi-per-expiry": open_interest,
    "greeks": greeks,
    "darkpool-price-levels": price_levels,
    "insider-buy-sells": insider_trades,
    "crypto-ohlc": candles,
    "congress-politicians": congress,
    "analytics-window": analytics,
    "contract-volume-profile": volume_profile,
    "etf-holdings": holdings,
    "flow-alerts": flow_alerts,
}
