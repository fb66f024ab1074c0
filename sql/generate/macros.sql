-- Macros of the synthetic market, defined on every connection. Every draw is a hash of the seed, the name of the draw
-- and the key of the row, and so does not depend on the number of threads or the order of the rows.

-- A uniform number in (0, 1) from the upper 53 bits of a 64-bit hash: never 0, never 1. It is hashed again: the engine
-- combines the hash of several values by exclusive or with that of the last one, so draws of different names for the
-- same row would not be independent. Constants have an exponent to be DOUBLE; without one they are DECIMAL, and the
-- arithmetic is ten times slower.
CREATE OR REPLACE MACRO unit(h) AS ((hash(h) >> 11)::BIGINT::DOUBLE + 0.5e0) / 9007199254740992e0;

-- A uniform number in (0, 1) from 16 bits of a hash, so that one hash serves four coarse draws; part is 0 to 3. A shift
-- by a signed number would be a 128-bit shift, which takes twice as long.
CREATE OR REPLACE MACRO unit16(h, part) AS
  (((hash(h) >> (16 * part)::UBIGINT) & 65535)::DOUBLE + 0.5e0) / 65536e0;

-- A standard normal deviate from two hashes: Box and Muller, Ann. Math. Statist. 29 (1958) 610.
CREATE OR REPLACE MACRO normal(h, g) AS sqrt(-2e0 * ln(unit(h))) * cos(2e0 * pi() * unit(g));

-- A moment within a session as a fraction of it. Half of them follow the U-shaped arcsine distribution, near the ends.
CREATE OR REPLACE MACRO moment(h, g) AS
  CASE WHEN unit16(h, 0) < 0.5e0 THEN (1e0 - cos(pi() * unit(g))) / 2e0 ELSE unit(g) END;

-- part * amount // total of non-negative integers, exactly. Only if the product exceeds 64 bits is the division
-- 128-bit, which takes a hundred times as long.
CREATE OR REPLACE MACRO share_of(part, total, amount) AS CASE
  WHEN part <= 9223372036854775807 // greatest(1, amount)::BIGINT
    THEN part::BIGINT * amount::BIGINT // total::BIGINT
  ELSE (part::HUGEINT * amount::HUGEINT // total::HUGEINT)::BIGINT
END;

-- One element of a list.
CREATE OR REPLACE MACRO pick(h, list) AS list[1 + (hash(h) % len(list)::UBIGINT)::BIGINT];

-- The lower tail of the normal distribution at -a, 0 <= a <= 7.07: algorithm 5666 of J. F. Hart, Computer
-- Approximations (1968), in the form of G. West, Better Approximations to Cumulative Normal Functions (2005).
CREATE OR REPLACE MACRO normal_tail(a) AS exp(-a * a / 2e0)
  * ((((((3.52624965998911e-02 * a + 0.700383064443688e0) * a + 6.37396220353165e0) * a + 33.912866078383e0) * a
    + 112.079291497871e0) * a + 221.213596169931e0) * a + 220.206867912376e0)
  / (((((((8.83883476483184e-02 * a + 1.75566716318264e0) * a + 16.064177579207e0) * a + 86.7807322029461e0) * a
    + 296.564248779674e0) * a + 637.333633378831e0) * a + 793.826512519948e0) * a + 440.413735824752e0);

-- The normal distribution function, to 1e-12: beyond 7.07 standard deviations the tail is smaller than that. It has no
-- CASE, because the engine would not recognise the repeated argument in one.
CREATE OR REPLACE MACRO normal_cdf(x) AS
  0.5e0 + sign(x) * (0.5e0 - normal_tail(least(abs(x), 7.07e0)));

-- The density of the normal distribution.
CREATE OR REPLACE MACRO normal_density(x) AS exp(-x * x / 2e0) / 2.5066282746310002e0;

-- The continuously compounded rate to an expiry from yields in percent: bond-equivalent, compounded twice a year, and
-- linear in calendar days between two maturities. A month has 365/12 days.
CREATE OR REPLACE MACRO treasury_rate(days, three_months, two_years, five_years) AS
  2e0 * ln(1e0 + CASE
    WHEN days <= 91.25e0 THEN three_months
    WHEN days <= 730 THEN three_months + (two_years - three_months) * (days - 91.25e0) / 638.75e0
    ELSE two_years + (five_years - two_years) * (days - 730) / 1095e0
  END / 200e0);

-- Options have their values by Black, Scholes and Merton (R. C. Merton, Bell J. Econ. 4 (1973) 141) in this form: carry =
-- exp(-yield × years), and the strike brought forward, k_now = strike × exp((yield - rate) × years), is the price of the
-- underlying at which its forward equals the strike. With deviation = volatility × sqrt(years),
-- d1 = ln(spot / k_now) / deviation + deviation / 2 and d2 = d1 - deviation, a call has tail1 = N(d1) and tail2 = N(d2), and
-- a put both less 1.
CREATE OR REPLACE MACRO option_value(carry, spot, k_now, tail1, tail2) AS
  greatest(0e0, carry * (spot * tail1 - k_now * tail2));

-- Tick size of an option quote in cents: one below 3 dollars, five from there on (the penny pilot's rule).
CREATE OR REPLACE MACRO quote_step(value) AS CASE WHEN value < 3e0 THEN 1e0 ELSE 5e0 END;

-- Half the spread of a market maker in dollars: wider in the wings (|delta| far from a half).
CREATE OR REPLACE MACRO quote_margin(value, delta) AS
  greatest(0.006e0, value * (0.004e0 + 0.02e0 * abs(abs(delta) - 0.5e0)));

-- A quote around a value, in cents. The ask is above the bid, because both are rounded away from the value.
CREATE OR REPLACE MACRO quote_bid(value, margin) AS
  round(greatest(0e0, floor((value - margin) * 100e0 / quote_step(value)) * quote_step(value)))::INTEGER;
CREATE OR REPLACE MACRO quote_ask(value, margin) AS
  round(ceil((value + margin) * 100e0 / quote_step(value)) * quote_step(value))::INTEGER;

-- Price of the underlying in dollars within a minute, from its open to its close, by the microsecond of the session.
CREATE OR REPLACE MACRO price_within(open, close, offset_us) AS
  round(open + (close - open) * (offset_us % 60000000)::DOUBLE / 60000000e0, 4);

-- Price on a Brownian bridge of logarithms from open to close, at a fraction of the way. `returned` is the walk's final
-- value, and the walk so far and `returned` are multiples of 1e-9.
CREATE OR REPLACE MACRO bridge_price(open, close, share, wandered, returned) AS
  round(
    greatest(0.05, exp(
      ln(open::DOUBLE) + share * ln(close::DOUBLE / open::DOUBLE) + (wandered - share * returned) / 1e9
    )),
    2
  )::DECIMAL(18, 2)::DECIMAL(18, 6);

-- Open interest of a contract that was listed before the market's first session with options: heavy-tailed.
CREATE OR REPLACE MACRO first_interest(symbol_id) AS
  round(least(60000, 15 * pow(unit(hash('interest', symbol_id)), -0.9e0)))::BIGINT - 15;

-- Numeric id of a contract, from its symbol: below 2^52, so that it is exact as a JSON number.
CREATE OR REPLACE MACRO symbol_number(symbol) AS (hash(symbol) >> 12)::BIGINT;

-- Symbol of a contract in OSI notation without blanks.
CREATE OR REPLACE MACRO osi_symbol(root, expiry, option_type, strike) AS concat(
  root, strftime(expiry, '%y%m%d'), upper(option_type[1]), lpad(round(strike * 1000)::BIGINT::VARCHAR, 8, '0')
);

-- The greeks; density is that of d1. Theta and charm are per calendar day, vega, rho and vanna per point (0.01).
CREATE OR REPLACE MACRO greek_delta(carry, tail1) AS carry * tail1;
CREATE OR REPLACE MACRO greek_gamma(carry, spot, density, deviation) AS carry * density / (spot * deviation);
CREATE OR REPLACE MACRO greek_theta(carry, spot, k_now, tail1, tail2, density, volatility, years, rate, yield) AS
  carry * (
    yield * spot * tail1 - rate * k_now * tail2 - spot * density * volatility / (2e0 * sqrt(years))
  ) / 365e0;
CREATE OR REPLACE MACRO greek_vega(carry, spot, density, years) AS carry * spot * density * sqrt(years) / 100e0;
CREATE OR REPLACE MACRO greek_rho(carry, k_now, tail2, years) AS carry * k_now * years * tail2 / 100e0;
CREATE OR REPLACE MACRO greek_charm(carry, tail1, d2, density, deviation, years, rate, yield) AS
  carry * (yield * tail1 - density * ((rate - yield) / deviation - d2 / (2e0 * years))) / 365e0;
CREATE OR REPLACE MACRO greek_vanna(carry, d2, density, volatility) AS -carry * density * d2 / volatility / 100e0;

-- A UUID with the layout of version 5 (RFC 9562) from two hashes. The first bit is set, so that every hexadecimal
-- number keeps its 16 digits.
CREATE OR REPLACE MACRO uuid_of(h, g) AS concat(
  hex((h & 18446744073709490175) | 9223372036854796288),
  hex((g & 4611686018427387903) | 9223372036854775808)
)::UUID;

-- A UUID with the layout of version 7: 48 bits of milliseconds, then bits of two hashes.
CREATE OR REPLACE MACRO uuid_at(instant, h, g) AS concat(
  printf('%012x', epoch_ms(instant)),
  hex((h & 4095) | 28672),
  hex((g & 4611686018427387903) | 9223372036854775808)
)::UUID;

-- Shares of a company, as opposed to those of a fund or an index.
CREATE OR REPLACE MACRO is_company(issue_type) AS issue_type IN ('Common Stock', 'ADR');
