-- market_tags: tags of a trade by its side (1 ask, -1 bid, 0 mid, 2 none), option type and type of underlying. A bought
-- call or a sold put is bullish.
WITH kinds (side, name) AS (
  VALUES (1, 'ask_side'), (-1, 'bid_side'), (0, 'mid_side'), (2, 'no_side')
)
SELECT
  side::TINYINT AS side,
  is_call,
  issue_type,
  [name, CASE
    WHEN side NOT IN (1, -1) THEN 'neutral'
    WHEN (side = 1) = is_call THEN 'bullish'
    ELSE 'bearish'
  END] || CASE issue_type WHEN 'ETF' THEN ['etf'] WHEN 'Index' THEN ['index'] ELSE [] END AS tags
FROM kinds
CROSS JOIN (VALUES (true), (false)) AS types (is_call)
CROSS JOIN (SELECT DISTINCT issue_type FROM market_tickers)
