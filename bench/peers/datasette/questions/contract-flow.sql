WITH alerts AS (
  -- SQLite takes the other columns from the row of the least value.
  SELECT
    member.value AS trade_id,
    flow_alerts.id AS flow_alert_id,
    alert_rule AS rule_id,
    min(created_at || flow_alerts.id)
  FROM flow_alerts, json_each(trade_ids) AS member
  WHERE option_chain = :id AND date = :date
  GROUP BY member.value
)
SELECT
  t.id, t.option_chain_id, t.underlying_symbol, t.option_type, t.strike, t.expiry, t.executed_at, t.price, t.size, t.premium, t.volume,
  t.open_interest, t.underlying_price, t.exchange, t.canceled, t.is_agg, t.ask_vol, t.bid_vol, t.mid_vol, t.no_side_vol,
  t.multi_vol, t.stock_multi_vol, t.nbbo_bid, t.nbbo_ask, t.nbbo_bid_size, t.nbbo_ask_size, t.nbbo_bid_time, t.nbbo_ask_time,
  t.ewma_nbbo_bid, t.ewma_nbbo_ask, t.delta, t.gamma, t.theta, t.vega, t.rho, t.theo, t.implied_volatility,
  a.flow_alert_id, a.rule_id, t.tags, t.report_flags, t.upstream_condition_detail, k.full_name, k.industry_type, k.issue_type, k.sector, k.marketcap,
  k.er_time, k.next_earnings_date
FROM option_trades AS t
LEFT JOIN alerts AS a ON a.trade_id = t.id
LEFT JOIN tickers AS k
  ON k.ticker = t.underlying_symbol
  AND k.date = (SELECT max(date) FROM tickers WHERE ticker = t.underlying_symbol AND date <= :date)
WHERE t.option_chain_id = :id AND t.date = :date
ORDER BY t.executed_at DESC, t.id
LIMIT :limit
