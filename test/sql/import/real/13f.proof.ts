import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serveForTest } from '../../../fixtures/service.ts'
import { importingFormat } from '../formats.ts'

const FOLDER = '../shared/realdata/13f'
const SUBMISSION = `${FOLDER}/0001951757-25-000093.nc`
const TABLE = `${FOLDER}/13F-HR.infotable.xml`
const SAID = {
  cik: '0001234567',
  name: 'A manager',
  'report-date': '2021-09-30',
  'filing-date': '2021-11-01',
}

/**
 * What Python reads of the raw files: for each manager and quarter the positions, units and value. A position is a
 * security by its CUSIP, else by its ticker or name, apart from its warrants, preferred stock and notes. Where the lines of
 * a quarter do not meet the total that the source gives beside them by a factor, that total, in millions, is reported too.
 */
const PYTHON = `
import json, re, sys
import xml.etree.ElementTree as ET
from collections import defaultdict
ends = {'1': '03-31', '2': '06-30', '3': '09-30', '4': '12-31'}
table = defaultdict(lambda: [set(), 0, 0, None])
names = {}
def add(manager, day, key, units, value):
    row = table[manager + ' ' + day]
    row[0].add(key); row[1] += units; row[2] += value
def kind(title):
    return 'W' if title.startswith(('*W', 'RIGHT')) else 'P' if 'PFD' in title else 'D' if title.startswith('NOTE') else ''
for path in sys.argv[3:]:
    source = json.load(open(path))
    manager = source['meta']['managerCIK'].lstrip('0')
    names[manager] = source['meta']['manager']
    history = source['history']
    for quarter, rows in history['holdings'].items():
        day = quarter[:4] + '-' + ends[quarter[-1]]
        for row in rows:
            known = row.get('cusip') or (row['name'] + row['cls'] if row['ticker'].startswith('?') else row['ticker'])
            add(manager, day, (known, kind(row['cls'])), row['shares'], row['value'])
        total = history['values'][history['quarters'].index(quarter)]
        if sum(row['value'] for row in rows) > 2e6 * total:
            table[manager + ' ' + day][3] = total
def infotable(manager, day, text):
    for line in ET.fromstring(text.strip()):
        one = {each.tag.split('}')[1]: (each.text or '').strip() for each in line.iter()}
        add(manager, day, (one['cusip'], one['sshPrnamtType'], one.get('putCall')), int(one['sshPrnamt']), int(one['value']))
infotable('1994827', '2024-12-31', re.findall('<XML>(.*?)</XML>', open(sys.argv[1]).read(), re.S)[1])
infotable('1234567', '2021-09-30', open(sys.argv[2]).read())
json.dump({key: [len(row[0]), *row[1:]] for key, row in table.items()}, sys.stdout)
`

type Sums = Record<string, [positions: number, units: number, value: number, total: number | null]>

test.skipIf(!existsSync(FOLDER))(
  'the holdings in ../shared are those that Python reads, and those that the operations on institutions tell',
  async () => {
    const investors = ['ackman', 'buffett', 'tepper'].map(name => `${FOLDER}/investors/${name}.json`)
    const raw: Sums = JSON.parse(
      execFileSync('python3', ['-c', PYTHON, SUBMISSION, TABLE, ...investors], { encoding: 'utf8' }),
    )
    const at = importingFormat('sec-13f')
    await at.import([...investors, SUBMISSION, TABLE], { options: SAID })

    const rows = await at.rows(
      `SELECT concat_ws(' ', cik, report_date), count(*), sum(units), sum(value)::DECIMAL(18, 0)
       FROM bars GROUP BY cik, report_date`,
      'institution_holdings',
    )
    const imported = new Map(
      rows.map(row => {
        const [cik, day, ...figures] = row.split(' ')
        return [`${cik} ${day}`, figures.map(Number)]
      }),
    )
    expect([...imported.keys()].toSorted()).toEqual(Object.keys(raw).toSorted())
    const contradicted: string[] = []
    for (const [key, [positions, units, value, total]] of Object.entries(raw)) {
      const [count, held, worth = 0] = imported.get(key) ?? []
      expect([key, count, held]).toEqual([key, positions, units])
      if (total === null) expect([key, worth]).toEqual([key, value])
      else {
        // The source's own total is right to the million, its lines are not.
        contradicted.push(key)
        expect([key, Math.round(worth / 1e6)]).toEqual([key, total])
      }
    }
    // Appaloosa's 13 quarters from 2022 Q4 to 2025 Q4.
    expect(contradicted).toHaveLength(13)
    expect(contradicted.every(key => /^1656456 202[2345]/.test(key))).toBe(true)

    const splits = at.file('splits.csv', ['ticker,date,ratio', 'AAPL,2020-08-31,4:1'])
    await at.import([splits], { format: 'stock-splits' })
    const service = await serveForTest(at.folder, at.lake)
    const get = async (url: string) => {
      const headers = { authorization: `Bearer ${service.token}` }
      return JSON.parse((await service.server.inject({ url, headers })).body).data
    }
    const institutions = await get('/api/institutions?order=total_value')
    // In the order of the latest reports' values, by the raw files.
    const latest = (cik: string) => {
      const days = Object.keys(raw).filter(key => key.startsWith(`${cik} `))
      return String(raw[days.toSorted().at(-1) ?? '']?.[2])
    }
    expect(institutions.map((each: Record<string, unknown>) => [each.name, each.total_value])).toEqual([
      ['Berkshire Hathaway Inc.', latest('1067983')],
      ['Pershing Square Capital Management, L.P.', latest('1336528')],
      ['Appaloosa LP', latest('1656456')],
      ['A manager', latest('1234567')],
      ['ACORN CREEK CAPITAL LLC', latest('1994827')],
    ])
    const holdings = await get('/api/institution/Berkshire/holdings?limit=500')
    expect(holdings).toHaveLength(raw['1067983 2026-06-30']?.[0] ?? 0)
    // 227,917,808 shares of Apple in both quarters of 2026, by the raw file.
    expect(holdings[0]).toMatchObject({
      ticker: 'AAPL',
      units: 227_917_808,
      units_change: 0,
      value: 65_950_296_923,
      first_buy: '2016-06-30',
    })
    // 245,155,566 shares of Apple in June 2020, 980,622,264 after the split of 4:1 on 31 August; 36,326,710 were sold.
    const [apple] = await get(
      '/api/institution/Berkshire/holdings?ticker_symbol=AAPL&start_date=2020-09-30&end_date=2020-09-30',
    )
    expect([apple.units, apple.units_change, apple.historical_units.slice(0, 2)]).toEqual([
      944_295_554,
      -36_326_710,
      [944_295_554, 980_622_264],
    ])
    const sectors = await get('/api/institution/0001994827/sectors')
    expect(sectors).toMatchObject([
      { report_date: '2024-12-31', value: '194611845', positions: 77, positions_increased: 0 },
    ])
    await service.close()
  },
  300_000,
)
