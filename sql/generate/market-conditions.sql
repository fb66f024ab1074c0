-- market_conditions: sale conditions as named on the tape, with the message type that carries them (OPRA Pillar Output
-- Specification, "Last Sale"), and what they mean for a trade.
SELECT
  code::UTINYINT AS code,
  detail,
  trade_code,
  is_floor(detail) AS is_floor,
  is_cross(detail) AS is_cross,
  detail IN ('mlet', 'mlat', 'mlct', 'mlft', 'mfsl') AS is_multi,
  detail IN ('tlet', 'tlat', 'tlct', 'tlft', 'tfsl') AS is_stock_multi
FROM (
  VALUES
    (0, 'auto', 'I'), (1, 'isoi', 'S'), (2, 'slan', 'a'), (3, 'slai', 'b'), (4, 'slcn', 'c'), (5, 'slci', 'd'),
    (6, 'slft', 'e'), (7, 'mlet', 'f'), (8, 'mlat', 'g'), (9, 'mlct', 'h'), (10, 'mlft', 'i'), (11, 'mfsl', 'm'),
    (12, 'tlet', 'n'), (13, 'tlat', 'k'), (14, 'tlct', 'o'), (15, 'tlft', 'p'), (16, 'tfsl', 's')
) AS conditions (code, detail, trade_code)
