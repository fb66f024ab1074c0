-- fred: economic series of FRED, one series per file or several in one file
-- address: https://fred.stlouisfed.org/graph/fredgraph.csv?id=DGS10
-- expects: a header, then one row per date: observation_date (or date), and one column per series, named after it
-- expects: a column named value, or after an unknown series, needs --indicator or a file name with the series: DFF.csv
-- expects: points dated by the first day of their period, as in FRED; a blank or a dot is a date without a value
-- expects: series of several frequencies in one file, in which a blank of a series on a date between its own dates, before its first or after its last value is no point
-- expects: one series per indicator and interval, e.g. CPIAUCSL (seasonally adjusted) or CPIAUCNS (not adjusted), because the last one imported replaces the others
-- expects: yields of 1month, 6month, 1year, 3year and 20year are stored, although the operation does not offer them
-- expects: or the XML of FRED's API, whose file's name begins with the series (UNRATE.xml), or with --indicator
-- expects: or rows of any series with the series in a column; of several vintages of a point, one per import
-- option: indicator = contents of the column: a known FRED series (GDPC1), or an indicator (gdp) with --interval
-- option: interval = daily, weekly, monthly, quarterly, semiannual or annual, for an indicator
-- option: maturity = maturity of the indicator treasury-yield, e.g. 10year
-- option: vintage = which vintage of a point is stored, if the files have several: first, latest, or a date, for the value as known on that day. Default: latest
-- rejects: an unknown series without --indicator, and an indicator without its interval or maturity
-- rejects: a date that is invalid, before 1900, in the future, or not the first day of its month, quarter or year
-- rejects: a value that is not a plain decimal number
-- rejects: a vintage that is not a date
-- rejects: of two columns for the same indicator, the later one in alphabetical order
--
-- source: points = csv
-- column: date = observation_date, date; YYYY-MM-DD
-- optional: series = series_id; id of a FRED series, in files with one row per series and date
-- optional: vintage = vintage_date; date on which the value was published
-- optional: value = value, *; in the unit of the API's indicator
-- optional: gdpc1 = gdpc1; gdp, quarterly
-- optional: gdpca = gdpca; gdp, annual
-- optional: a939rx0q048sbea = a939rx0q048sbea; gdp-per-capita, quarterly
-- optional: dgs1mo = dgs1mo; treasury-yield 1month, daily
-- optional: dgs3mo = dgs3mo; treasury-yield 3month, daily
-- optional: dgs6mo = dgs6mo; treasury-yield 6month, daily
-- optional: dgs1 = dgs1; treasury-yield 1year, daily
-- optional: dgs2 = dgs2; treasury-yield 2year, daily
-- optional: dgs3 = dgs3; treasury-yield 3year, daily
-- optional: dgs5 = dgs5; treasury-yield 5year, daily
-- optional: dgs7 = dgs7; treasury-yield 7year, daily
-- optional: dgs10 = dgs10; treasury-yield 10year, daily
-- optional: dgs20 = dgs20; treasury-yield 20year, daily
-- optional: dgs30 = dgs30; treasury-yield 30year, daily
-- optional: wgs3mo = wgs3mo; treasury-yield 3month, weekly
-- optional: wgs2yr = wgs2yr; treasury-yield 2year, weekly
-- optional: wgs5yr = wgs5yr; treasury-yield 5year, weekly
-- optional: wgs7yr = wgs7yr; treasury-yield 7year, weekly
-- optional: wgs10yr = wgs10yr; treasury-yield 10year, weekly
-- optional: wgs30yr = wgs30yr; treasury-yield 30year, weekly
-- optional: gs3m = gs3m; treasury-yield 3month, monthly
-- optional: gs2 = gs2; treasury-yield 2year, monthly
-- optional: gs5 = gs5; treasury-yield 5year, monthly
-- optional: gs7 = gs7; treasury-yield 7year, monthly
-- optional: gs10 = gs10; treasury-yield 10year, monthly
-- optional: gs30 = gs30; treasury-yield 30year, monthly
-- optional: dff = dff; fed-funds, daily
-- optional: ff = ff; fed-funds, weekly
-- optional: fedfunds = fedfunds; fed-funds, monthly
-- optional: cpiaucsl = cpiaucsl; cpi, monthly
-- optional: cpiaucns = cpiaucns; cpi, monthly
-- optional: cuus0000sa0 = cuus0000sa0; cpi, semiannual
-- optional: fpcpitotlzgusa = fpcpitotlzgusa; inflation, annual
-- optional: rsxfs = rsxfs; retail-sales, monthly
-- optional: rsxfsn = rsxfsn; retail-sales, monthly
-- optional: dgorder = dgorder; durables, monthly
-- optional: umdmno = umdmno; durables, monthly
-- optional: unrate = unrate; unemployment, monthly
-- optional: unratensa = unratensa; unemployment, monthly
-- optional: payems = payems; payrolls, monthly
-- optional: paynsa = paynsa; payrolls, monthly
-- source: observations = xml
-- roots: observations
-- repeated: observation
-- member: document.observations.observation[]; date, value, and realtime_start, which becomes vintage
-- step: observed
SELECT
  file,
  line,
  item ->> '$."@date"' AS date,
  item ->> '$."@value"' AS value,
  item ->> '$."@realtime_start"' AS vintage,
  coalesce($indicator, regexp_extract(name, '^[A-Za-z0-9]+')) AS series
FROM (
  SELECT
    file,
    line,
    unnest(record -> '$.document.observations.observation[*]') AS item
  FROM observations
)
JOIN files USING (file)
-- step: known
SELECT *
FROM (
  VALUES
    ('GDPC1', 'gdp', '', 'quarterly'),
    ('GDPCA', 'gdp', '', 'annual'),
    ('A939RX0Q048SBEA', 'gdp-per-capita', '', 'quarterly'),
    ('DGS1MO', 'treasury-yield', '1month', 'daily'),
    ('DGS3MO', 'treasury-yield', '3month', 'daily'),
    ('DGS6MO', 'treasury-yield', '6month', 'daily'),
    ('DGS1', 'treasury-yield', '1year', 'daily'),
    ('DGS2', 'treasury-yield', '2year', 'daily'),
    ('DGS3', 'treasury-yield', '3year', 'daily'),
    ('DGS5', 'treasury-yield', '5year', 'daily'),
    ('DGS7', 'treasury-yield', '7year', 'daily'),
    ('DGS10', 'treasury-yield', '10year', 'daily'),
    ('DGS20', 'treasury-yield', '20year', 'daily'),
    ('DGS30', 'treasury-yield', '30year', 'daily'),
    ('WGS3MO', 'treasury-yield', '3month', 'weekly'),
    ('WGS2YR', 'treasury-yield', '2year', 'weekly'),
    ('WGS5YR', 'treasury-yield', '5year', 'weekly'),
    ('WGS7YR', 'treasury-yield', '7year', 'weekly'),
    ('WGS10YR', 'treasury-yield', '10year', 'weekly'),
    ('WGS30YR', 'treasury-yield', '30year', 'weekly'),
    ('GS3M', 'treasury-yield', '3month', 'monthly'),
    ('GS2', 'treasury-yield', '2year', 'monthly'),
    ('GS5', 'treasury-yield', '5year', 'monthly'),
    ('GS7', 'treasury-yield', '7year', 'monthly'),
    ('GS10', 'treasury-yield', '10year', 'monthly'),
    ('GS30', 'treasury-yield', '30year', 'monthly'),
    ('DFF', 'fed-funds', '', 'daily'),
    ('FF', 'fed-funds', '', 'weekly'),
    ('FEDFUNDS', 'fed-funds', '', 'monthly'),
    ('CPIAUCSL', 'cpi', '', 'monthly'),
    ('CPIAUCNS', 'cpi', '', 'monthly'),
    ('CUUS0000SA0', 'cpi', '', 'semiannual'),
    ('FPCPITOTLZGUSA', 'inflation', '', 'annual'),
    ('RSXFS', 'retail-sales', '', 'monthly'),
    ('RSXFSN', 'retail-sales', '', 'monthly'),
    ('DGORDER', 'durables', '', 'monthly'),
    ('UMDMNO', 'durables', '', 'monthly'),
    ('UNRATE', 'unemployment', '', 'monthly'),
    ('UNRATENSA', 'unemployment', '', 'monthly'),
    ('PAYEMS', 'payrolls', '', 'monthly'),
    ('PAYNSA', 'payrolls', '', 'monthly')
) AS series (id, indicator, maturity, interval)
-- The columns of a file: known series, and at most one other column, named value or after another series.
-- step: named
SELECT
  file,
  list_filter(written, lambda each: list_contains(all_ids, each)) AS ids,
  list_filter(written, lambda each: NOT list_contains(all_ids, each)) AS others,
  CASE
    WHEN list_contains(others, 'VALUE') THEN upper(split_part(name, '.', 1))
    WHEN len(others) = 1 THEN others[1]
  END AS other,
  array_to_string(others, ', ') AS spelled
FROM (
  SELECT
    file,
    name,
    list_filter(
      list_transform(header, lambda each: upper(trim(each))),
      lambda each: each NOT IN ('', 'DATE', 'OBSERVATION_DATE', 'SERIES_ID', 'VINTAGE_DATE')
    ) AS written,
    (SELECT list(id ORDER BY id) FROM known) AS all_ids
  FROM files
)
-- step: dated
SELECT
  *,
  day_of(date) AS day,
  day_of(vintage) AS published,
  coalesce(
    day_fault('date', date, day_of(date), $today),
    CASE WHEN vintage IS NOT NULL AND published IS NULL THEN ['vintage', 'not a date', vintage] END,
    CASE
      WHEN $vintage NOT IN ('first', 'latest') AND day_of($vintage) IS NULL
        THEN ['vintage', '--vintage is neither first, latest nor a date', $vintage]
    END
  ) AS date_fault
FROM (FROM points UNION ALL BY NAME FROM observed)
-- If the date is valid, one row per column present, including blanks.
-- step: cells
SELECT
  file,
  line,
  cells.name,
  present(cell) AS text,
  CASE WHEN cells.name = 'value' THEN upper(coalesce($indicator, other)) ELSE upper(cells.name) END AS series
FROM (
  FROM (FROM dated WHERE date_fault IS NULL AND series IS NULL)
  UNPIVOT INCLUDE NULLS (
    cell FOR name IN (COLUMNS(* EXCLUDE (file, line, date, series, vintage, day, published, date_fault)))
  )
) AS cells
JOIN named USING (file)
WHERE list_contains(ids, upper(cells.name))
  OR (cells.name = 'value' AND other IS NOT NULL)
-- Rows with their series in a column: of several vintages of a point, the one that counts.
-- step: long_cells
SELECT
  file,
  line,
  'value' AS name,
  day,
  present(value) AS text,
  coalesce(upper($indicator), upper(series)) AS series
FROM dated
WHERE date_fault IS NULL
  AND series IS NOT NULL
  AND (published IS NULL OR day_of($vintage) IS NULL OR published <= day_of($vintage))
WINDOW point AS (PARTITION BY upper(series), day)
QUALIFY published IS NULL
  OR published = CASE
    WHEN $vintage = 'first' THEN min(published) OVER point
    ELSE max(published) OVER point
  END
-- dataset: economic_points
WITH found AS (
  SELECT
    file,
    line,
    day,
    date_fault,
    name,
    text,
    cells.series,
    spelled
  FROM dated
  JOIN named USING (file)
  LEFT JOIN cells USING (file, line)
  WHERE date_fault IS NOT NULL OR dated.series IS NULL
  UNION ALL BY NAME
  SELECT * FROM long_cells
),
identified AS (
  SELECT
    found.*,
    CASE
      WHEN known.id IS NULL AND lower($indicator) IN (SELECT indicator FROM known)
        THEN lower($indicator)
      ELSE known.indicator
    END AS indicator,
    coalesce(known.interval, $interval) AS interval,
    CASE
      WHEN known.id IS NOT NULL THEN known.maturity
      WHEN lower($indicator) = 'treasury-yield' THEN $maturity
      ELSE ''
    END AS maturity,
    TRY_CAST(half_even_text(text, 6) AS DECIMAL(18, 6)) AS number
  FROM found
  LEFT JOIN known ON known.id = series
),
counted AS (
  SELECT
    *,
    CASE interval
      WHEN 'monthly' THEN date_trunc('month', day)
      WHEN 'quarterly' THEN date_trunc('quarter', day)
      WHEN 'semiannual' THEN time_bucket(INTERVAL 6 MONTHS, day)
      WHEN 'annual' THEN date_trunc('year', day)
      ELSE day
    END AS first_day,
    min(interval) OVER files <> max(interval) OVER files AS is_mixed,
    min(day) FILTER (text IS NOT NULL) OVER columns AS first_value,
    max(day) FILTER (text IS NOT NULL) OVER columns AS last_value,
    row_number() OVER (PARTITION BY file, line, day, indicator, maturity, interval ORDER BY series, name) AS nth
  FROM identified
  WINDOW
    files AS (PARTITION BY file),
    columns AS (PARTITION BY file, name, series)
)
SELECT
  file,
  line,
  indicator,
  maturity,
  interval,
  day AS date,
  number AS value,
  CASE
    WHEN date_fault IS NOT NULL THEN date_fault
    WHEN name IS NULL THEN ['series', 'not a column of one known series: specify it with --indicator', spelled]
    WHEN indicator IS NULL THEN ['series', 'unknown series: specify it with --indicator', series]
    WHEN interval IS NULL THEN ['interval', 'unknown: specify it with --interval', indicator]
    WHEN interval NOT IN ('daily', 'weekly', 'monthly', 'quarterly', 'semiannual', 'annual')
      THEN ['interval', 'not an interval', interval]
    WHEN maturity IS NULL THEN ['maturity', 'unknown: specify it with --maturity', indicator]
    WHEN maturity <> '' AND maturity NOT IN (SELECT maturity FROM known) THEN ['maturity', 'not a maturity', maturity]
    WHEN nth > 1 THEN ['series', 'duplicate series of its indicator', series]
    WHEN day <> first_day
      THEN ['date', 'not the first day of its period', day::VARCHAR]
    ELSE number_fault(name, text, number)
  END AS fault
FROM counted
-- A blank in a file of several frequencies is a date without a value only on the series' own dates.
WHERE NOT coalesce(
  is_mixed
    AND text IS NULL
    AND indicator IS NOT NULL
    AND (
      day <> first_day
      OR interval = 'weekly'
      OR interval = 'daily' AND isodow(day) > 5
      OR coalesce(day NOT BETWEEN first_value AND last_value, true)
    ),
  false
)
