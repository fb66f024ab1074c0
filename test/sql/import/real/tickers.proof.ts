import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'

const REAL = '../shared/realdata'
const OVERVIEWS = `${REAL}/cashflow/overview`

const SCRIPT = `
import glob, json, sys
from decimal import Decimal
for path in glob.glob(sys.argv[1] + '/*.json'):
    of = json.load(open(path))
    cents = lambda text: Decimal(text).quantize(Decimal('0.01'))
    ex = '-' if of['ExDividendDate'] == 'None' else of['ExDividendDate']
    print(of['Symbol'], of['LatestQuarter'], of['Name'], of['AssetType'],
          cents(of['MarketCapitalization']), cents(of['SharesOutstanding']), ex)
`

describe.skipIf(!existsSync(REAL))('company overviews in ../shared/realdata', () => {
  test('have the names, sizes and dates that python3 reads, from their quarter on', async () => {
    const at = importingFormat('tickers')
    await at.import([OVERVIEWS])
    const read = execFileSync('python3', ['-c', SCRIPT, OVERVIEWS], { encoding: 'utf8' })
      .trimEnd()
      .split('\n')
    const rows = await at.rows(
      `SELECT ticker, date, full_name, issue_type, marketcap, shares_outstanding, ex_dividend_date
       FROM bars WHERE date > '1900-01-01'`,
      'tickers',
    )
    expect(rows.toSorted()).toEqual(read.toSorted())
    expect(
      await at.rows(
        `SELECT count(*), count(marketcap), count(shares_outstanding), count(ex_dividend_date), count(industry_type)
         FROM bars WHERE date = '1900-01-01'`,
        'tickers',
      ),
    ).toEqual(['53 0 0 0 53'])
  }, 120_000)

  test('are in the sectors that the titles of their industries mean', async () => {
    const at = importingFormat('tickers')
    await at.import([OVERVIEWS])
    const known: Record<string, string> = {
      'Basic Materials': 'CTVA DD FCX',
      'Communication Services': 'CHTR NFLX T',
      'Consumer Cyclical': 'F HLT LOW MCD ORLY SBUX TSLA',
      'Consumer Defensive': 'GIS KO MO',
      Energy: 'SLB XOM',
      'Financial Services': 'AMP BAC PRU USB',
      Healthcare: 'ALGN ANTM BIIB BMY CNC EW ILMN IQV JNJ MDT MTD PFE',
      Industrials: 'CAT NSC',
      'Real Estate': 'PLD',
      Technology: 'ADBE ADSK ATVI CSCO DHR ENPH IBM MSFT QCOM ROP TEL TMO',
      Utilities: 'SRE',
      '-': 'EBAY GPN V',
    }
    const rows = await at.rows(
      `SELECT sector, string_agg(ticker, ' ' ORDER BY ticker) FROM bars WHERE date > '1900-01-01' GROUP BY 1`,
      'tickers',
    )
    expect(rows.toSorted()).toEqual(
      Object.entries(known)
        .map(([sector, tickers]) => `${sector} ${tickers}`)
        .toSorted(),
    )
  }, 120_000)
})
