import { expect, test } from 'vitest'
import { plantedLake } from '../lake/audit/planted-lake.ts'
import { tapehouseHere as tapehouse } from './in-process.ts'

const CROSSED = "UPDATE option_chain_days SET bid = 1.3 WHERE strike = 90 AND option_type = 'put'"

test('audit prints a line per check and dataset with its first findings', async () => {
  const { lake } = await plantedLake([CROSSED])
  const { code, stdout, stderr } = await tapehouse(['audit', '--lake', lake, '--examples', '1'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.toString()).toBe(
    `crossed-quote: 2 findings in option_chain_days from 2024-07-30 to 2024-07-31: a bid is above the ask
  2024-07-30 FULL240816P00090000 bid 1.3, ask 1.2
Snapshot 9: 9 checks, 2 findings.
`,
  )
  const json = await tapehouse([
    'audit',
    'crossed-quote',
    '--lake',
    lake,
    '--date',
    '2024-07-31',
    '--format',
    'json',
  ])
  expect(JSON.parse(json.stdout.toString())).toEqual({
    snapshot: 9,
    checks: ['crossed-quote'],
    found: [
      {
        check: 'crossed-quote',
        summary: 'a bid is above the ask',
        dataset: 'option_chain_days',
        findings: 1,
        first_day: '2024-07-31',
        last_day: '2024-07-31',
        examples: [
          { date: '2024-07-31', ticker: 'FULL240816P00090000', value: '1.3', reason: 'bid 1.3, ask 1.2' },
        ],
      },
    ],
  })
})

test('audit --fail exits with 1 exactly if there is a finding', async () => {
  const { lake } = await plantedLake([CROSSED])
  const failing = ['audit', '--lake', lake, '--fail']
  expect((await tapehouse(failing)).code).toBe(1)
  const { code, stdout } = await tapehouse([...failing, '--since', '2024-08-01'])
  expect([code, stdout.toString()]).toEqual([0, 'Snapshot 9: 9 checks, nothing found.\n'])
  expect((await tapehouse([...failing, 'few-rows'])).code).toBe(0)
})

test.each([
  [['audit', 'few-row'], /unknown check "few-row": did you mean few-rows\?/],
  [['audit', '--date', '2024-02-30'], /--date must be a date such as 2024-12-31, not "2024-02-30"/],
  [['audit', '--date', '2024-02-01', '--since', '2024-02-01'], /--date and --since exclude each other/],
  [['audit', '--examples', '0'], /--examples must be a whole number from 1 to 1000, not "0"/],
  [['audit', '--format', 'csv'], /--format must be text or json, not "csv"/],
])('%j is a usage error', async (args, message) => {
  const { code, stderr } = await tapehouse(args)
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})
