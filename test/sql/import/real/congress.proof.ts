import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveForTest } from '../../../fixtures/service.ts'
import { importingFormat } from '../formats.ts'

const FOLDER = '../shared/realdata/congress'
const SUMMARIES = join(FOLDER, 'senate_all_daily_summaries.json')
const LIST = join(FOLDER, 'senate_all_transactions.csv')

/** What Python reads of the two files. Politicians go by the source's own number of them, which the import ignores. */
const PYTHON = `
import csv, json, sys
from collections import Counter
from datetime import datetime
day = lambda text: datetime.strptime(text, '%m/%d/%Y').date()
filings = json.load(open(sys.argv[1]))
trades = [(f, t, day(t['transaction_date']), day(f['date_recieved'])) for f in filings for t in f['transactions']]
late = [each for each in trades if (each[3] - each[2]).days > 45]
count = lambda values: sorted(map(list, Counter(values).items()))
latest = {}
for f, t, traded, filed in trades:
    latest[f['bioguide']] = max(latest.get(f['bioguide'], ''), str(traded))
listed = list(csv.DictReader(open(sys.argv[2], newline='')))
json.dump({
    'trades': len(trades),
    'filings': len(filings),
    'paper': sum(f['transactions'] == [] for f in filings),
    'listed': len(listed),
    'listed_paper': sum(row['asset_type'] == 'PDF Disclosed Filing' for row in listed),
    'late': len(late),
    'late_by_filer': count(f['office'] for f, t, traded, filed in late),
    'late_since_2020': sum(str(filed) >= '2020-01-01' for f, t, traded, filed in late),
    'late_until_2015': sum(str(filed) <= '2015-12-31' for f, t, traded, filed in late),
    'ahead': sorted([str(traded), str(filed), f['office']] for f, t, traded, filed in trades if traded > filed),
    'by_filer': count(f['office'] for f, t, traded, filed in trades),
    'by_month': count(str(filed)[:7] for f, t, traded, filed in trades),
    'by_type': count(t['type'] for f, t, traded, filed in trades),
    'by_owner': count(t['owner'] for f, t, traded, filed in trades),
    'by_amount': count(t['amount'] for f, t, traded, filed in trades),
    'linked_apple': sum('>AAPL<' in t['ticker'] for f, t, traded, filed in trades),
    'without_link': sum(t['ticker'] == '--' for f, t, traded, filed in trades),
    'latest': sorted(latest.values(), reverse=True),
}, sys.stdout)
`

interface Counted {
  readonly [name: string]: number | readonly (readonly (string | number)[])[]
}

const joined = (rows: unknown) => (rows as (string | number)[][]).map(row => row.join(' '))

test.skipIf(!existsSync(FOLDER))(
  'the senators of ../shared/realdata are in the lake as python3 reads them, from either file once',
  async () => {
    const counted: Counted = JSON.parse(
      execFileSync('python3', ['-c', PYTHON, SUMMARIES, LIST], { encoding: 'utf8' }),
    )
    const at = importingFormat('congress-senate')
    const rows = (sql: string) => at.rows(sql, 'congress_trades')
    const report = await at.import([SUMMARIES])
    expect(report.accounts).toMatchObject([
      { records: counted.filings, rows: counted.trades, rejected: counted.paper },
    ])
    const all = await rows('SELECT * FROM bars ORDER BY id')
    expect(all.length).toBe(counted.trades)

    const count = async (values: string, where = 'true') =>
      rows(`SELECT ${values}, count(*) FROM bars WHERE ${where} GROUP BY ALL ORDER BY ALL`)
    expect(await count('reporter')).toEqual(joined(counted.by_filer))
    expect(await count('left(filed_at_date::VARCHAR, 7)')).toEqual(joined(counted.by_month))
    const late = 'filed_at_date - transaction_date > 45'
    expect(await count('reporter', late)).toEqual(joined(counted.late_by_filer))
    expect(await rows(`SELECT count(*) FROM bars WHERE ${late}`)).toEqual([String(counted.late)])
    expect(
      await rows(
        'SELECT transaction_date, filed_at_date, reporter FROM bars WHERE transaction_date > filed_at_date ORDER BY ALL',
      ),
    ).toEqual(joined(counted.ahead))
    const types: Record<string, string> = {
      Exchange: 'Exchange',
      Purchase: 'Buy',
      'Sale (Full)': 'Sell',
      'Sale (Partial)': 'Sell (partial)',
    }
    const named = joined(counted.by_type).map(each =>
      each.replace(/^(.*) (\d+)$/, (_, type, n) => `${types[type]} ${n}`),
    )
    expect((await count('txn_type')).toSorted()).toEqual(named.toSorted())
    expect(await count('issuer')).toEqual(joined(counted.by_owner).map(each => each.toLowerCase()))
    expect((await count('amounts')).toSorted()).toEqual(joined(counted.by_amount).toSorted())
    expect(await rows(`SELECT count(*) FROM bars WHERE ticker = 'AAPL'`)).toEqual([
      String(counted.linked_apple),
    ])
    // Those without a ticker: none is written, or one that is none, of which there are six.
    expect(await rows('SELECT count(*) FROM bars WHERE ticker IS NULL')).toEqual([
      String(Number(counted.without_link) + 6),
    ])
    expect(
      await rows(`SELECT count(*) FROM bars WHERE asset_description SIMILAR TO '.*(<|&[a-z]+;).*'`),
    ).toEqual(['0'])

    // The list adds nothing to them, alone or beside them.
    const again = await at.import([LIST])
    expect(again).toMatchObject({
      rows: Number(counted.listed) - Number(counted.listed_paper),
      published: false,
    })
    expect(await at.import([FOLDER])).toMatchObject({ published: false })
    expect(await rows('SELECT * FROM bars ORDER BY id')).toEqual(all)

    const service = await serveForTest(at.folder, at.lake)
    try {
      const answer = async (url: string) => {
        const { statusCode, payload } = await service.server.inject({
          url,
          headers: { authorization: `Bearer ${service.token}` },
        })
        expect(statusCode).toBe(200)
        return JSON.parse(payload).data as Record<string, string>[]
      }
      const politicians = await answer('/api/congress/politicians')
      expect(politicians.map(each => each.transaction_date)).toEqual(counted.latest)
      // The last filing is of 10 March 2021.
      expect((await answer('/api/congress/politicians?last_traded_within_months=12')).length).toBe(
        (counted.latest as unknown as string[]).filter(day => day >= '2020-03-10').length,
      )
      expect((await answer('/api/congress/late-reports?limit=200')).length).toBe(200)
      const old = await answer('/api/congress/late-reports?limit=200&date=2015-12-31')
      expect(old.length).toBe(Math.min(200, Number(counted.late_until_2015)))
      const recent = await answer('/api/congress/late-reports?limit=200')
      expect(recent.filter(each => String(each.filed_at_date) >= '2020-01-01').length).toBe(
        Math.min(200, Number(counted.late_since_2020)),
      )
    } finally {
      await service.close()
    }
  },
)

test.skipIf(!existsSync(FOLDER))(
  'the files of ../shared/realdata imported together give the same lake, the list alone is refused',
  async () => {
    const at = importingFormat('congress-senate')
    expect(await at.refusal([LIST])).toContain('no filing date: import the summaries with it or before it')
    const both = await at.import([LIST, SUMMARIES])
    expect(both).toMatchObject({ rows: 8030, rejected: 926 })
    const all = await at.rows('SELECT * FROM bars ORDER BY id', 'congress_trades')
    const one = importingFormat('congress-senate')
    await one.import([SUMMARIES])
    expect(all).toEqual(await one.rows('SELECT * FROM bars ORDER BY id', 'congress_trades'))
  },
)
