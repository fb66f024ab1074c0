import { expect, test } from 'vitest'
import { diagnosisOf } from '../../../../src/lake/import/diagnosis/diagnose.ts'

const of = (text: string) => diagnosisOf(Buffer.from(text))

test.each([
  [
    'snapped_at,price,market_cap,total_volume\n2024-01-01 00:00:00 UTC,42220.6,826845125555.5,146000.1\n',
    'is a price history of CoinGecko, which has no open, high and low',
  ],
  [
    '{"prices":[[1704067200000,42261.04]],"market_caps":[],"total_volumes":[]}',
    'is a market chart of CoinGecko, which has no open, high and low',
  ],
  ['[[1704067200000,42261.04,42300.1,42200,42280.5]]', 'is a list of candles without volumes'],
  ['20120518,fb,Q\n20220608,fb,Q\n20501231,meta,Q\n', 'is a map file of LEAN'],
  ['{"markets":[{"ticker":"FED-23DEC","event_ticker":"FED"}],"cursor":""}', 'is a list of markets of Kalshi'],
  ['{"ticker":"FED","candlesticks":[{"end_period_ts":1704067200}]}', 'is a list of candles of Kalshi'],
  ['{"history":[{"t":1697875200,"p":0.58}]}', 'is a price history of Polymarket'],
  ['[{"id":"a","outcomeType":"BINARY","mechanism":"dpm-2"}]', 'is a list of markets of Manifold'],
  ['{"markets":[{"id":1,"contracts":[{"bestBuyYesCost":0.56}]}]}', 'is a list of markets of PredictIt'],
  [
    '\ufeff<?xml version="1.0"?>\n<ss:Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">',
    'is a workbook as XML (Excel 2003)',
  ],
  ['Date,Dividends\n2024-02-09,0.24\n', 'is a list of dividends of Yahoo or EODHD'],
  ['Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market\n', 'is a list of short volumes of FINRA'],
  ['{"cik":320193,"entityName":"Acme Works Inc","facts":{}}', 'is a list of facts of a company from the SEC'],
  ['AS OF 01/05/2024\nFund Ticker,Fund Name,Security Ticker,Sedol\n', 'is a list of holdings of ProShares'],
  [
    '[{"Ticker":"ACME","Date":"2024-01-02","Name":"EXAMPLE JANE","AcquiredDisposedCode":"D"}]',
    'is a list of transactions of insiders, which does not say to which filing each belongs',
  ],
  [
    '{"data":[{"name":"Example Jane","share":3280,"transactionPrice":185.64}],"symbol":"ACME"}',
    'is a list of transactions of insiders of Finnhub',
  ],
  ['Ticker,Owner,Relationship,Date,Transaction,Cost\n', 'is a list of transactions of insiders of Finviz'],
  [
    '"Stock","Symbol","Type","Sector","Shares Held","Market Value"\n',
    'is a list of positions of WhaleWisdom',
  ],
  ['[{"date":"2023-12-31","tickercusip":"ACME"}]', 'is a list of positions of Financial Modeling Prep'],
  ['DATAFLOW,FREQ,REF_AREA,TIME_PERIOD,OBS_VALUE\n', 'is a table of SDMX'],
])('a known file without a dataset is named: %j', (text, expected) => {
  expect(of(text)).toContain(expected)
})

test.each([
  '[[1704067200000,42261.04,42300.1,42200,42280.5,7.25]]',
  'Date,Dividends,Stock Splits\n2024-02-09,0.24,0\n',
  '20240102,187.15,188.44\n20240103,184.22,185.88\n',
  'KEY,FREQ,CURRENCY,CURRENCY_DENOM,TIME_PERIOD,OBS_VALUE\nEXR.D.USD.EUR.SP00.A,D,USD,EUR,2024-01-02,1.0956\n',
  '{"history":{"day":[{"date":"2024-01-02"}]}}',
])('a file with data is not: %j', text => expect(of(text)).toBeNull())
