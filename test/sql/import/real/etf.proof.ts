import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serveForTest } from '../../../fixtures/service.ts'
import { importingFormat } from '../formats.ts'

const CSV = '../shared/realdata/etf/IVV_holdings.csv'

/** What Python reads of the list: sums are exact, sectors as the issuer calls them. */
const PYTHON = `
import csv, json, sys
from collections import Counter, defaultdict
from decimal import Decimal
lines = list(csv.reader(open(sys.argv[1], encoding='utf-8-sig')))
head = next(number for number, line in enumerate(lines) if line[:1] == ['Ticker'])
rows = [dict(zip(lines[head], line)) for line in lines[head + 1:] if len(line) == len(lines[head])]
number = lambda text: Decimal(text.replace(',', ''))
sums = defaultdict(Decimal)
for row in rows:
    sums[row['Sector']] += number(row['Weight (%)'])
json.dump({
    'name': lines[0][0],
    'rows': len(rows),
    'others': sum(len(line) != len(lines[head]) for line in lines[head + 1:]),
    'equities': sorted(row['Ticker'] for row in rows if row['Asset Class'] == 'Equity'),
    'weight': str(sum(number(row['Weight (%)']) for row in rows)),
    'shares': str(sum(number(row['Quantity']) for row in rows)),
    'sectors': sorted([sector, count, str(sums[sector])] for sector, count in Counter(row['Sector'] for row in rows).items()),
    'first': [[row['Name'], row['Weight (%)'], row['Quantity'].replace(',', '')] for row in rows[:3]],
}, sys.stdout)
`

interface Counted {
  readonly name: string
  readonly rows: number
  readonly others: number
  readonly equities: readonly string[]
  readonly weight: string
  readonly shares: string
  readonly sectors: readonly (readonly [string, number, string])[]
  readonly first: readonly (readonly [string, string, string])[]
}

/** The issuer's sectors as the answers call them; of cash and the like there is none. */
const SECTORS: Readonly<Record<string, string>> = {
  Communication: 'Communication Services',
  'Consumer Discretionary': 'Consumer Cyclical',
  'Consumer Staples': 'Consumer Defensive',
  Financials: 'Financial Services',
  'Health Care': 'Healthcare',
  'Information Technology': 'Technology',
  Materials: 'Basic Materials',
  'Cash and/or Derivatives': '',
}
/** Tickers that the issuer writes without the dot of their class. */
const CLASSES: Readonly<Record<string, string>> = { BRKB: 'BRK.B', BFB: 'BF.B' }

test.skipIf(!existsSync(CSV))(
  'the holdings of IVV in ../shared/realdata are in the lake and in the answers as python3 reads them',
  async () => {
    const counted: Counted = JSON.parse(execFileSync('python3', ['-c', PYTHON, CSV], { encoding: 'utf8' }))
    // The issuer rounds each weight to a hundredth of a percent.
    expect(Math.abs(Number(counted.weight) - 100)).toBeLessThan(0.1)

    const at = importingFormat('etf-holdings')
    const report = await at.import([CSV])
    expect(report.accounts).toMatchObject([
      // One row more: the fund's own.
      { records: counted.rows + counted.others, rows: counted.rows + 1, rejected: counted.others, notes: [] },
    ])
    expect(
      await at.rows(
        'SELECT count(*), sum(weight)::DECIMAL(9, 2), sum(shares)::DECIMAL(18, 2) FROM bars',
        'etf_holdings',
      ),
    ).toEqual([`${counted.rows} ${counted.weight} ${counted.shares}`])
    expect(
      await at.rows(
        `SELECT coalesce(sector, ''), count(*), sum(weight)::DECIMAL(9, 2) FROM bars GROUP BY sector ORDER BY 1`,
        'etf_holdings',
      ),
    ).toEqual(
      counted.sectors.map(([sector, ...sums]) => [SECTORS[sector] ?? sector, ...sums].join(' ')).toSorted(),
    )
    expect(
      await at.rows(`SELECT ticker FROM bars WHERE type = 'stock' ORDER BY ticker`, 'etf_holdings'),
    ).toEqual(counted.equities.map(ticker => CLASSES[ticker] ?? ticker).toSorted())

    const service = await serveForTest(at.folder, at.lake)
    try {
      const ask = async (path: string) => {
        const headers = { authorization: `Bearer ${service.token}` }
        const { statusCode, body } = await service.server.inject({ url: path, headers })
        return { statusCode, data: JSON.parse(body).data }
      }
      const { data: info } = await ask('/api/etfs/IVV/info')
      expect(info).toMatchObject({
        name: counted.name,
        inception_date: '2000-05-15',
        holdings_count: counted.rows,
        expense_ratio: null,
      })
      const { data: holdings } = await ask('/api/etfs/ivv/holdings')
      expect(holdings).toHaveLength(counted.rows)
      expect(
        holdings
          .slice(0, 3)
          .map(({ name, weight, shares }: Record<string, unknown>) => [name, weight, shares]),
      ).toEqual(counted.first.map(([name, weight, shares]) => [name, `${weight}0000`, Number(shares)]))
      expect((await ask('/api/etfs/ACME/info')).statusCode).toBe(422)
    } finally {
      await service.close()
    }
  },
)
