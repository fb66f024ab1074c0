import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serveForTest } from '../../../fixtures/service.ts'
import { importingFormat } from '../formats.ts'

const FOLDER = '../shared/realdata/fec'

/** What Python reads of the files, by the places of their published columns. Companies' committees are named by hand. */
const PYTHON = `
import json, sys
from collections import Counter, defaultdict
def records(name):
    with open(f'{sys.argv[1]}/{name}.txt', encoding='cp1252') as file:
        return [[field.strip() for field in line.split('|')] for line in file]
committees = {record[0]: record for record in records('cm')}
candidates = {record[0]: record for record in records('cn')}
contributions = [r for r in records('itpas2') if r[5] in ('24K', '24Z') and r[19] != 'X']
is_corporate = lambda c: c[12] in ('C', 'W') and c[9] in ('N', 'Q')
def row(r):
    to = committees.get(r[15])
    candidate = (to[14] if to and to[9] in 'HSP' else '') or r[16]
    party = candidates[candidate][2] if candidate in candidates else ''
    if party in ('', 'UNK'): party = to[10] if to else ''
    if party == 'DFL': party = 'DEM'
    day = f'{r[13][4:]}-{r[13][:2]}-{r[13][2:4]}'
    kind = 'pac' if is_corporate(committees[r[0]]) else 'other'
    return [r[21], day, kind, r[0], candidate or r[15], party or '-', f'{int(r[14])}.00']
rows = sorted(map(row, contributions))
totals = defaultdict(lambda: [0, 0, 0, 0])
for _, _, kind, giver, _, party, amount in rows:
    dollars = int(amount[:-3])
    for place, counts in enumerate((1, dollars, dollars * (party == 'DEM'), dollars * (party == 'REP'))):
        totals[giver][place] += counts
companies = {
    'HD': ['C00284885'], 'WMB': ['C00040394'], 'GD': ['C00078451'], 'UPS': ['C00064766'],
    'CMCSA': ['C00248716'], 'RTX': ['C00097568', 'C00035683'], 'BA': ['C00142711'],
}
json.dump({
    'committees': sorted([id, c[1], 'true' if is_corporate(c) else 'false'] for id, c in committees.items()),
    'by_organisation': Counter(c[12] for c in committees.values()),
    'rows': rows,
    'party': sorted([party, n] for party, n in Counter(row[5] for row in rows).items()),
    'givers': totals,
    'companies': {ticker: [sum(column) for column in zip(*(totals[id] for id in ids))] for ticker, ids in companies.items()},
}, sys.stdout)
`

type Totals = readonly [count: number, dollars: number, democrats: number, republicans: number]

interface Counted {
  readonly committees: readonly (readonly string[])[]
  readonly by_organisation: Readonly<Record<string, number>>
  readonly rows: readonly (readonly string[])[]
  readonly party: readonly (readonly [string, number])[]
  readonly givers: Readonly<Record<string, Totals>>
  readonly companies: Readonly<Record<string, Totals>>
}

test.skipIf(!existsSync(FOLDER))(
  'the committees and contributions of ../shared/realdata are in the lake as python3 reads them, up to companies',
  async () => {
    const counted: Counted = JSON.parse(
      execFileSync('python3', ['-c', PYTHON, FOLDER], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
    )
    const at = importingFormat('fec-bulk')
    expect((await at.import([FOLDER])).rejected).toBe(0)

    expect(counted.by_organisation).toMatchObject({ C: 1566, W: 82, T: 699, M: 432, L: 300 })
    expect(
      await at.rows(
        'SELECT committee_id, name, is_corporate FROM bars ORDER BY committee_id',
        'fec_committees',
      ),
    ).toEqual(counted.committees.map(each => each.join(' ')))
    expect(await at.rows('SELECT DISTINCT cycle, cycle_end FROM bars', 'fec_committees')).toEqual([
      '2020 2020-12-31',
    ])
    // A committee that has a company and no name of its organisation is known by its own.
    expect(
      await at.rows(
        `SELECT ticker, company_name, connected_organization, is_corporate FROM bars
         WHERE committee_id IN ('C00142711', 'C00186288', 'C00300178', 'C00496307', 'C00401224')
         ORDER BY committee_id`,
        'fec_committees',
      ),
    ).toEqual([
      'BA Boeing THE BOEING COMPANY true',
      'VZ Verizon Communications - true',
      'WFC Wells Fargo WELLS FARGO AND COMPANY true',
      ' - - false',
      'MPC Marathon Petroleum ANDEAVOR POLITICAL ACTION COMMITTEE ID # C00358366 true',
    ])

    expect(
      await at.rows(
        'SELECT id, date, kind, committee_id, recipient_id, party, amount FROM bars ORDER BY id',
        'fec_contributions',
      ),
    ).toEqual(counted.rows.map(each => each.join(' ')))
    expect(counted.party).toEqual([
      ['DEM', 1300],
      ['NPP', 1],
      ['REP', 1710],
    ])
    const sums = (ids: readonly string[]) => ids.map(id => counted.givers[id]?.slice(0, 2).join(' '))
    expect(sums(['C00284885', 'C00040394', 'C00078451', 'C00064766', 'C00248716'])).toEqual([
      '34 162500',
      '34 149500',
      '87 129000',
      '105 100450',
      '38 96000',
    ])

    const service = await serveForTest(at.folder, at.lake)
    try {
      const answer = async (query: string) => {
        const { statusCode, payload } = await service.server.inject({
          url: `/api/politics/fec/companies${query}`,
          headers: { authorization: `Bearer ${service.token}` },
        })
        expect(statusCode).toBe(200)
        return JSON.parse(payload) as { cycle: number; data: Record<string, unknown>[] }
      }
      const { cycle, data } = await answer('?cycle=2020&limit=200')
      expect(cycle).toBe(2020)
      const money = (dollars: number) => `${dollars}.00`
      for (const [ticker, [count, total, democrats, republicans]] of Object.entries(counted.companies))
        expect(data.find(each => each.ticker === ticker)).toMatchObject({
          pac_count: ticker === 'RTX' ? 2 : 1,
          pac_contribution_count: count,
          pac_total: money(total),
          pac_dem_total: money(democrats),
          pac_rep_total: money(republicans),
          other_total: '0.00',
          employee_contribution_count: null,
          lobbying_total: null,
        })
      expect(data.slice(0, 5).map(each => each.ticker)).toEqual(['HD', 'WMB', 'GD', 'UPS', 'CMCSA'])
      expect((await answer('?cycle=2020&min_total=100450')).data).toHaveLength(4)
    } finally {
      await service.close()
    }
  },
)
