SELECT
  t.id, t.option_chain_id, t.underlying_symbol, t.option_type, t.strike, t.expiry, t.executed_at, t.price, t.size, t.premium, t.volume,
  t.open_interest, t.underlying_price, t.exchange, t.canceled, t.is_agg, t.ask_vol, t.bid_vol, t.mid_vol, t.no_side_vol,
  t.multi_vol, t.stock_multi_vol, t.nbbo_bid, t.nbbo_ask, t.nbbo_bid_size, t.nbbo_ask_size, t.nbbo_bid_time, t.nbbo_ask_time,
  t.ewma_nbbo_bid, t.ewma_nbbo_ask, t.delta, t.gamma, t.theta, t.vega, t.rho, t.theo, t.implied_volatility,
  a.flow_alert_id, a.rule_id, t.tags, t.report_flags, t.upstream_condition_detail, k.full_name, k.industry_type, k.issue_type, k.sector, k.marketcap,
  k.er_time, k.next_earnings_date
FROM (
  SELECT *
  FROM file('{data}/option_trades/{date}.parquet', Parquet)
  WHERE option_chain_id = {id:String}
  ORDER BY executed_at DESC, toString(id)
  LIMIT {limit:Int32}
) AS t
LEFT JOIN (
  SELECT
    trade_id,
    argMin(id, (created_at, toString(id))) AS flow_alert_id,
    argMin(alert_rule, (created_at, toString(id))) AS rule_id
  FROM (
    SELECT arrayJoin(trade_ids) AS trade_id, id, alert_rule, created_at
    FROM file('{data}/flow_alerts.parquet', Parquet)
    WHERE option_chain = {id:String} AND date = {date:Date32}
  )
  GROUP BY trade_id
) AS a ON a.trade_id = t.id
LEFT JOIN (
  SELECT *
  FROM file('{data}/tickers.parquet', Parquet)
  WHERE date <= {date:Date32}
  ORDER BY ticker, date DESC
  LIMIT 1 BY ticker
) AS k ON k.ticker = t.underlying_symbol
ORDER BY t.executed_at DESC, toString(t.id)
