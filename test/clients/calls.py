"""Calls operations through the client that openapi-python-client generates, and compares what it has parsed with the
JSON of the response. Arguments: the URL of a server and a token. The generated package is `market` on the path. Prints
the operations that were called, one per line.
"""

import datetime
import sys

from market import AuthenticatedClient
from market.api.analytics import analytics_window
from market.api.crypto import crypto_ohlc
from market.api.economy_and_currencies import economy, forex_rate
from market.api.institutions import institution_holdings, institutions
from market.api.lake import lake
from market.api.option_contracts import greeks, oi_per_expiry, screener_option_contracts
from market.api.options_flow import contract_flow, flow_alerts
from market.api.politicians_and_insiders import congress_politicians
from market.api.prediction_markets import prediction_liquidity
from market.api.stocks_and_et_fs import etf_info
from market.models import (
    AuthenticationRequired,
    ContractFlowSide,
    CorrelationMatrix,
    CryptoOhlcCandleSize,
    Drawdown,
    EconomyIndicator,
    FlowAlertsRuleNameItem,
    Histogram,
    InstitutionHoldingsOrder,
    InvalidRequest,
    NotFound,
    ScreenerOptionContractsOrder,
    ScreenerOptionContractsOrderDirection,
    ScreenerOptionContractsSectorsItem,
    ScreenerOptionContractsType,
)

URL, TOKEN = sys.argv[1:]
client = AuthenticatedClient(base_url=URL, token=TOKEN)


def assert_same(parsed, raw, at):
    """Compares a parsed value, as the client writes it again, with the value of the JSON."""
    if isinstance(raw, dict):
        assert set(parsed) == set(raw), f"{at}: {set(parsed) ^ set(raw)}"
        for name, value in raw.items():
            assert_same(parsed[name], value, f"{at}.{name}")
    elif isinstance(raw, list):
        assert len(parsed) == len(raw), f"{at}: {len(parsed)} and not {len(raw)}"
        for index, value in enumerate(raw):
            assert_same(parsed[index], value, f"{at}[{index}]")
    elif isinstance(raw, str) and "T" in raw and raw.endswith("Z"):
        assert datetime.datetime.fromisoformat(parsed) == datetime.datetime.fromisoformat(raw), f"{at}: {parsed} and not {raw}"
    else:
        assert type(parsed) is type(raw) and parsed == raw, f"{at}: {parsed!r} and not {raw!r}"


def call(operation, *path, status=200, **query):
    """The parsed answer of an operation. `sync_detailed` sends what the types of the client permit."""
    seen = []
    client.get_httpx_client().event_hooks = {"response": [lambda response: (response.read(), seen.append(response))]}
    response = operation.sync_detailed(*path, client=client, **query)
    name = operation.__name__.rsplit(".", 1)[1]
    assert response.status_code == status, f"{name}: {response.status_code} {response.content!r}"
    assert_same(response.parsed.to_dict(), seen[0].json(), name)
    print(name, response.status_code)
    return response.parsed


# Enumerations, lists of them, ranges and flags in a query.
screened = call(
    screener_option_contracts,
    sectors=[ScreenerOptionContractsSectorsItem.TECHNOLOGY, ScreenerOptionContractsSectorsItem.FINANCIAL_SERVICES],
    type_=ScreenerOptionContractsType.CALL,
    min_volume=1,
    max_delta=0.95,
    is_new=False,
    order=ScreenerOptionContractsOrder.EXPIRES,
    order_direction=ScreenerOptionContractsOrderDirection.ASC,
    limit=20,
).data
assert 0 < len(screened) <= 20
assert {contract.sector for contract in screened} <= {"Technology", "Financial Services"}
assert all(contract.option_type == "call" and contract.volume >= 1 for contract in screened)
assert all(isinstance(contract.expiry, datetime.date) for contract in screened)
assert [contract.expiry for contract in screened] == sorted(contract.expiry for contract in screened)
busiest = call(screener_option_contracts, limit=1).data[0]

# Path parameters, dates, and the types of records.
chain = call(greeks, busiest.ticker_symbol, expiry=busiest.expiry).data
assert chain and all(row.expiry == busiest.expiry and isinstance(row.strike, str) for row in chain)
trades = call(contract_flow, busiest.option_symbol, side=ContractFlowSide.ASK, min_premium=0, limit=7).data
assert trades and all(isinstance(trade.executed_at, datetime.datetime) for trade in trades)
assert all(trade.executed_at.utcoffset() == datetime.timedelta(0) for trade in trades)
interest = call(oi_per_expiry, busiest.ticker_symbol, date=chain[0].date).data
assert interest and all(row.date == chain[0].date for row in interest)

alerts = call(
    flow_alerts,
    rule_name=[FlowAlertsRuleNameItem.REPEATEDHITS, FlowAlertsRuleNameItem.REPEATEDHITSASCENDINGFILL],
    min_premium=0,
    max_dte=3650,
    limit=10,
).data
assert {alert.alert_rule.value for alert in alerts} <= {"RepeatedHits", "RepeatedHitsAscendingFill"}

# A name with blanks in the path, a list of texts, a range of dates.
largest = call(institutions, limit=1).data[0]
holdings = call(
    institution_holdings,
    largest.name,
    security_types=["Share", "Fund"],
    start_date=datetime.date(2000, 1, 1),
    end_date=datetime.date(2030, 12, 31),
    order=InstitutionHoldingsOrder.UNITS,
    limit=10,
).data
assert holdings and {holding.security_type.value for holding in holdings} <= {"Share", "Fund"}
members = call(congress_politicians, last_traded_within_months=240).data
assert members and all(member.member_type.value in ("house", "senate") for member in members)

# Enumerations in the path, keywords of Python, and answers that are no lists.
series = call(economy, EconomyIndicator.TREASURY_YIELD).data
assert series.name and isinstance(series.data[0].date, datetime.date)
candles = call(crypto_ohlc, "BTC-USD", CryptoOhlcCandleSize.W1, limit=3).data
assert len(candles) == 3 and candles[0].start_time > candles[1].start_time
rate = call(forex_rate, from_="EUR", to="USD").data
assert (rate.from_, rate.to) == ("EUR", "USD") and isinstance(rate.rate, float)
fund = call(etf_info, "WIDE").data
assert isinstance(fund.holdings_count, int) and isinstance(fund.inception_date, datetime.date)
window = call(
    analytics_window,
    symbols="ACME,BRASS",
    range_="2month",
    calculations="MEAN,MAX_DRAWDOWN,HISTOGRAM(bins=3),CORRELATION",
).data
figures = window.payload.returns_calculations.additional_properties
assert isinstance(figures["CORRELATION"], CorrelationMatrix)
assert isinstance(figures["MAX_DRAWDOWN"].additional_properties["ACME"], Drawdown)
assert isinstance(figures["HISTOGRAM(BINS=3)"].additional_properties["BRASS"], Histogram)
assert figures["MEAN"].additional_properties.keys() == {"ACME", "BRASS"}
assert call(lake).synthetic is True

# Errors are parsed too.
assert isinstance(call(greeks, "A B", expiry=busiest.expiry, status=422), InvalidRequest)
assert isinstance(call(prediction_liquidity, "no-such-asset", status=404), NotFound)
client = AuthenticatedClient(base_url=URL, token="00000000-0000-4000-8000-000000000000")
refusal = call(etf_info, "WIDE", status=401)
assert isinstance(refusal, AuthenticationRequired) and refusal.reason.value == "unknown_token"
