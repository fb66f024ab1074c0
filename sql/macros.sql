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
-- before the point. Doubles tell it where a hair less and a hair more, several times their error, round to the same;
-- elsewhere, near a half of the last place or beyond the digits of a double, integers do: exactly and a hundred times as
-- slowly. Short on purpose: a request's planning takes longer with each part of this.
CREATE OR REPLACE MACRO ratio(numerator, denominator) AS
  CASE
    WHEN denominator = 0 THEN NULL
    WHEN round(numerator::DOUBLE / denominator * 9999999999.99999)
      = round(numerator::DOUBLE / denominator * 10000000000.00001)
      THEN (numerator::DOUBLE / denominator)::DECIMAL(38, 10)
    ELSE exact_ratio(
      (numerator::DECIMAL(38, 10) * 10000000000)::HUGEINT * 10000000000,
      (denominator::DECIMAL(38, 10) * 10000000000)::HUGEINT
    )
  END;
