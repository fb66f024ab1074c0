/** A file of a known vendor that no dataset can hold, what it lacks, and what to import in its place. */
interface KnownFile {
  readonly begins: RegExp
  readonly what: string
  readonly next: string
}

const CANDLES =
  'import candles of an exchange, such as Binance, Coinbase or Kraken (docs/formats/crypto-bars.md)'
const MARKETS = 'import markets of Polymarket (docs/formats/prediction-markets.md)'
const FILINGS = 'import the filings themselves, or the data sets of the SEC (docs/formats/sec-ownership.md)'
const REPORTS = 'import the reports themselves, or the data sets of the SEC (docs/formats/sec-13f.md)'
const DIVIDENDS =
  'import amounts as on the ex-dividend date, e.g. of Alpha Vantage, Nasdaq or Tiingo (docs/formats/stock-dividends.md)'

/** Known files, by how their text begins. */
const KNOWN_FILES: readonly KnownFile[] = [
  {
    begins: /^"?snapped_at"?,"?price"?,"?market_cap"?,"?total_volume"?\s/,
    what: 'a price history of CoinGecko, which has no open, high and low, and volumes of the last 24 hours',
    next: CANDLES,
  },
  {
    begins: /^\{\s*"prices"\s*:\s*\[\s*\[\s*\d{13}\s*,/,
    what: 'a market chart of CoinGecko, which has no open, high and low, and volumes of the last 24 hours',
    next: CANDLES,
  },
  {
    begins: /^\[\s*\[\s*\d{13}(?:\s*,\s*[\d.e+-]+){4}\s*\]/,
    what: 'a list of candles without volumes, as CoinGecko answers /ohlc',
    next: CANDLES,
  },
  {
    begins: /^\d{8},[a-z][a-z0-9.]*(?:,[A-Z])?\r?\n(?:\d{8},[a-z][a-z0-9.]*(?:,[A-Z])?(?:\r?\n|$))+$/,
    what: 'a map file of LEAN, the tickers that a company had, for which there is no dataset',
    next: 'import the prices of each ticker; splits and dividends are in the factor files (docs/formats/price-factors.md)',
  },
  {
    begins: /^\{\s*"(?:markets|events|market)"\s*:\s*[[{][\s\S]{0,4000}"event_ticker"/,
    what: 'a list of markets of Kalshi, which have no tokens as those of Polymarket have',
    next: MARKETS,
  },
  {
    begins: /^\{[\s\S]{0,200}"candlesticks"\s*:\s*\[\s*\{\s*"end_period_ts"/,
    what: 'a list of candles of Kalshi, for which there is no dataset',
    next: MARKETS,
  },
  {
    begins: /^\{\s*"history"\s*:\s*\[\s*\{\s*"t"\s*:\s*\d+\s*,\s*"p"\s*:/,
    what: 'a price history of Polymarket, which has neither bids and asks nor sizes',
    next: 'import order books (docs/formats/prediction-books.md)',
  },
  {
    begins: /^\[?\s*\{[\s\S]{0,4000}"outcomeType"\s*:[\s\S]{0,2000}"mechanism"\s*:/,
    what: 'a list of markets of Manifold, which have no tokens as those of Polymarket have',
    next: MARKETS,
  },
  {
    begins: /^\{[\s\S]{0,4000}"bestBuyYesCost"\s*:/,
    what: 'a list of markets of PredictIt, which have no tokens as those of Polymarket have',
    next: MARKETS,
  },
  {
    begins: /^(?:<\?xml[^>]*>\s*)?(?:<\?mso-application[^>]*>\s*)?<(?:ss:)?Workbook\b/,
    what: 'a workbook as XML (Excel 2003), which iShares names .xls',
    next: 'download its CSV, or save it as .xlsx or CSV, and import that',
  },
  {
    begins: /^"?Date"?,"?Dividends"?(?:,"?Capital Gains"?)?\r?\n/i,
    what: 'a list of dividends of Yahoo or EODHD, whose amounts are adjusted for later splits',
    next: DIVIDENDS,
  },
  {
    begins: /^Date\|Symbol\|ShortVolume\|/,
    what: 'a list of short volumes of FINRA, for which there is no dataset',
    next: 'import trades for volumes on and off exchange (docs/formats/stock-trades.md)',
  },
  {
    begins: /^\{\s*"cik"\s*:\s*"?\d+"?\s*,\s*"entityName"/,
    what: 'a list of facts of a company from the SEC, for which there is no dataset',
    next: 'import cash flow statements of Alpha Vantage (docs/formats/cash-flow.md)',
  },
  {
    begins: /^\[?\s*\{[^{}]*"(?:AcquiredDisposedCode|securitiesTransacted)"\s*:/,
    what: 'a list of transactions of insiders, which does not say to which filing each belongs',
    next: FILINGS,
  },
  {
    begins: /^\{\s*"data"\s*:\s*\[\s*\{[^{}]*"transactionPrice"\s*:/,
    what: 'a list of transactions of insiders of Finnhub, which has no numbers of insiders',
    next: FILINGS,
  },
  {
    begins: /^"?Ticker"?,"?Owner"?,"?Relationship"?,"?Date"?,"?Transaction"?,/,
    what: 'a list of transactions of insiders of Finviz, which has no years of filing dates',
    next: FILINGS,
  },
  {
    begins: /^"?Stock"?,"?Symbol"?,"?Type"?,"?Sector"?,"?Shares Held"?,"?Market Value\b/,
    what: 'a list of positions of WhaleWisdom, which has neither the manager nor CUSIPs',
    next: REPORTS,
  },
  {
    begins: /^\[?\s*\{[^{}]*"tickercusip"\s*:/,
    what: 'a list of positions of Financial Modeling Prep, which has no name of the manager',
    next: REPORTS,
  },
  {
    begins:
      /^(?:DATAFLOW|STRUCTURE|KEY|DATASET),(?![^\r\n]*CURRENCY_DENOM)[^\r\n]*\bTIME_PERIOD\b[^\r\n]*\bOBS_VALUE\b/,
    what: 'a table of SDMX, as of BIS, ECB, Eurostat, IMF or OECD, whose series are no indicators of the lake',
    next: 'import series of FRED (docs/formats/fred.md)',
  },
  {
    begins: /^[\s\S]{0,2000}\bFund Ticker"?,"?Fund Name"?,"?Security Ticker\b/,
    what: 'a list of holdings of ProShares, which has no weights',
    next: 'add a column Weight, the share of the market value of its fund in percent (docs/formats/etf-holdings.md)',
  },
]

/** What a file of a known vendor is and lacks, for a message that begins with its name; null if it is not known. */
export function knownFileIn(text: string): string | null {
  const found = KNOWN_FILES.find(({ begins }) => begins.test(text))
  return found === undefined ? null : `is ${found.what}: ${found.next}`
}
