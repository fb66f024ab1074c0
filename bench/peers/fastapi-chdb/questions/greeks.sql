SELECT
  coalesce(c.strike, p.strike) AS strike,
  coalesce(c.date, p.date) AS date,
  coalesce(c.expiry, p.expiry) AS expiry,
  c.option_symbol AS call_option_symbol,
  c.delta AS call_delta,
  c.gamma AS call_gamma,
  c.theta AS call_theta,
  c.vega AS call_vega,
  c.rho AS call_rho,
  c.charm AS call_charm,
  c.vanna AS call_vanna,
  c.implied_volatility AS call_volatility,
  p.option_symbol AS put_option_symbol,
  p.delta AS put_delta,
  p.gamma AS put_gamma,
  p.theta AS put_theta,
  p.vega AS put_vega,
  p.rho AS put_rho,
  p.charm AS put_charm,
  p.vanna AS put_vanna,
  p.implied_volatility AS put_volatility
FROM (
  SELECT * FROM file('{data}/option_chain_days/{date}.parquet', Parquet)
  WHERE underlying_symbol = {ticker:String} AND date = {date:Date32} AND expiry = {expiry:Date32} AND option_type = 'call'
) AS c
FULL JOIN (
  SELECT * FROM file('{data}/option_chain_days/{date}.parquet', Parquet)
  WHERE underlying_symbol = {ticker:String} AND date = {date:Date32} AND expiry = {expiry:Date32} AND option_type = 'put'
) AS p ON p.strike = c.strike
ORDER BY 1
