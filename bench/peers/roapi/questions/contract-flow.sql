WITH alerts AS (
  SELECT
    trade_id,
    first_value(id ORDER BY created_at, id) AS flow_alert_id,
    first_value(alert_rule ORDER BY created_at, id) AS rule_id
  FROM (
    SELECT unnest(trade_ids) AS trade_id, id, alert_rule, created_at
    FROM flow_alerts
    WHERE option_chain = $id AND date = $date::DATE
  ) AS members
  GROUP BY trade_id
),
known AS (
  SELECT *
  FROM (
    SELECT *, row_number() OVER (PARTITION BY ticker ORDER BY date DESC) AS place
    FROM tickers
    WHERE date <= $date::DATE
  ) AS earlier
  WHERE place = 1
)
SELECT
  t.id, t.option_chain_id, t.underlying_symbol, t.option_type, t.strike, t.expiry, t.executed_at, t.price, t.size, t.premium, t.volume,
  t.open_interest, t.underlying_price, t.exchange, t.canceled, t.is_agg, t.ask_vol, t.bid_vol, t.mid_vol, t.no_side_vol,
  t.multi_vol, t.stock_multi_vol, t.nbbo_bid, t.nbbo_ask, t.nbbo_bid_size, t.nbbo_ask_size, t.nbbo_bid_time, t.nbbo_ask_time,
  t.ewma_nbbo_bid, t.ewma_nbbo_ask, t.delta, t.gamma, t.theta, t.vega, t.rho, t.theo, t.implied_volatility,
  a.flow_alert_id, a.rule_id, t.tags, t.report_flags, t.upstream_condition_detail, k.full_name, k.industry_type, k.issue_type, k.sector, k.marketcap,
  k.er_time, k.next_earnings_date
FROM (
  SELECT *
  FROM option_trades_{day}
  WHERE option_chain_id = $id
  ORDER BY executed_at DESC, id
  LIMIT $limit
) AS t
LEFT JOIN alerts AS a ON a.trade_id = t.id
LEFT JOIN known AS k ON k.ticker = t.underlying_symbol
ORDER BY t.executed_at DESC, t.id
