-- What several templates share. The engine defines these before it serves, and `tapehouse query --sql` prints those
-- that a template uses in front of it. Each may use those before it.

-- The quotient of two integers, rounded half to even: so many units of the last place of a DECIMAL(38, 10).
CREATE OR REPLACE MACRO exact_ratio(units, divisor) AS
  (
    (
      units // divisor
      + if(
        2 * abs(units % divisor) > abs(divisor)
        OR (2 * abs(units % divisor) = abs(divisor) AND (units // divisor) % 2 <> 0),
        sign(units) * sign(divisor),
        0
      )
    )::DECIMAL(38, 0) * 0.0000000001::DECIMAL(10, 10)
  )::DECIMAL(38, 10);

-- A quotient rounded to 10 places, half to even; NULL where the denominator is 0. Either may have up to 17 digits
-- before the point. Doubles tell it where the quotient is small and, given their error, surely on one side of a half of
-- the last place; elsewhere integers do, exactly and a hundred times as slowly.
CREATE OR REPLACE MACRO ratio(numerator, denominator) AS
  CASE
    WHEN denominator = 0 THEN NULL
    WHEN abs(numerator::DOUBLE / denominator) < 1000
      AND abs(abs(numerator::DOUBLE / denominator * 1e10) % 1 - 0.5) > abs(numerator::DOUBLE / denominator) * 1e-5
      THEN (round(numerator::DOUBLE / denominator * 1e10)::BIGINT::DECIMAL(38, 0) * 0.0000000001::DECIMAL(10, 10))
    ELSE exact_ratio(
      (numerator::DECIMAL(38, 10) * 10000000000)::HUGEINT * 10000000000,
      (denominator::DECIMAL(38, 10) * 10000000000)::HUGEINT
    )
  END;
