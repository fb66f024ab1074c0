-- market_fund_days: the days on which funds report their assets: the first session of each month, and the last five
-- sessions, of which they also publish their holdings.
SELECT
  date,
  number + 5 > max(number) OVER () AS is_listed
FROM market_sessions
QUALIFY is_listed OR row_number() OVER (PARTITION BY date_trunc('month', date) ORDER BY date) = 1
