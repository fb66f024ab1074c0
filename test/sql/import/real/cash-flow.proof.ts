import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dataset } from '../../../../src/lake/store/datasets.ts'
import { serveForTest } from '../../../fixtures/service.ts'
import { importingFormat } from '../formats.ts'

const FOLDER = '../shared/realdata/cashflow/cash_flow'

/** What Python reads: the reports of each company, and sums over all of them. "None" is none. */
const PYTHON = `
import glob, json, sys
companies, sums, missing = [], {}, {}
for path in sorted(glob.glob(sys.argv[1] + '/*.json')):
    document = json.load(open(path))
    reports = [document['annualReports'], document['quarterlyReports']]
    flows = [int(each['operatingCashflow']) for part in reports for each in part if each['operatingCashflow'] != 'None']
    companies.append([document['symbol'], len(reports[0]), len(reports[1]), sum(flows)])
    for part in reports:
        for report in part:
            for item, value in report.items():
                if item in ('fiscalDateEnding', 'reportedCurrency'):
                    continue
                if value == 'None':
                    missing[item] = missing.get(item, 0) + 1
                else:
                    sums[item] = sums.get(item, 0) + int(value)
json.dump({'companies': sorted(companies), 'sums': {k: str(v) for k, v in sums.items()}, 'missing': missing}, sys.stdout)
`

interface Counted {
  readonly companies: readonly (readonly [string, number, number, number])[]
  readonly sums: Readonly<Record<string, string>>
  readonly missing: Readonly<Record<string, number>>
}

/** The source's name of a column. */
const itemOf = (column: string) =>
  column === 'proceeds_from_issuance_of_long_term_debt'
    ? 'proceedsFromIssuanceOfLongTermDebtAndCapitalSecuritiesNet'
    : column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

test.skipIf(!existsSync(FOLDER))(
  'the cash flows of ../shared/realdata are in the lake and in the answers as python3 adds them up',
  async () => {
    const counted: Counted = JSON.parse(
      execFileSync('python3', ['-c', PYTHON, FOLDER], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
    )
    const at = importingFormat('cash-flow')
    const report = await at.import([FOLDER])
    const reports = counted.companies.reduce((sum, [, annual, quarterly]) => sum + annual + quarterly, 0)
    expect([report.files, report.rows, report.rejected, report.notes]).toEqual([
      counted.companies.length,
      reports,
      0,
      [],
    ])
    expect(
      await at.rows(
        `SELECT ticker, count(*) FILTER (WHERE report_type = 'annual'), count(*) FILTER (WHERE report_type = 'quarterly'),
           sum(operating_cashflow)::DECIMAL(38, 0)
         FROM bars GROUP BY ticker ORDER BY ticker`,
        'cash_flow_statements',
      ),
    ).toEqual(counted.companies.map(company => company.join(' ')))

    const amounts = dataset('cash_flow_statements').columns.filter(({ type }) => type.startsWith('DECIMAL'))
    const sums = amounts.map(({ name }) => `sum(${name})::DECIMAL(38, 0), count(*) - count(${name})`)
    const expected = amounts.map(({ name }) => {
      const sum = counted.sums[itemOf(name)]
      return sum === undefined ? `- ${reports}` : `${sum} ${counted.missing[itemOf(name)] ?? 0}`
    })
    expect(await at.rows(`SELECT ${sums.join(', ')} FROM bars`, 'cash_flow_statements')).toEqual([
      expected.join(' '),
    ])

    const service = await serveForTest(at.folder, at.lake)
    try {
      for (const [ticker, annual, quarterly, flow] of counted.companies.filter(
        (_, place) => place % 20 === 0,
      )) {
        const { body } = await service.server.inject({
          url: `/api/stock/${ticker}/cash-flows`,
          headers: { authorization: `Bearer ${service.token}` },
        })
        const { data } = JSON.parse(body) as { data: Record<string, string | null>[] }
        expect(data).toHaveLength(annual + quarterly)
        expect(data.reduce((sum, each) => sum + Number(each.operating_cashflow ?? 0), 0)).toBe(flow)
      }
    } finally {
      await service.close()
    }
  },
)
