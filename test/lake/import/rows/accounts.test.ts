import { expect, test } from 'vitest'
import { importingFormat } from '../../../sql/import/formats.ts'

const HEADER = 'ticker,date,open,high,low,close,volume'
const good = (ticker: string, day: string) => `${ticker},${day},5,6,4,5,100`

test('each file has the defects of its own rows, the import those of all files, the most common first', async () => {
  const at = importingFormat('daily-bars')
  const one = at.file('one.csv', [
    HEADER,
    ...['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08'].map(day => good('ACME', day)),
    'ACME,2024-01-09,5,6,4,,100',
    'ACME,2024-01-10,x,6,4,5,100',
    'ACME,2024-01-11,5,6,4,,100',
    'ACME,2024-01-12,7,6,4,5,100',
  ])
  const other = at.file('other.csv', [
    HEADER,
    ...['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'].map(day => good('BOLT', day)),
    'BOLT,2024-01-08,x,6,4,5,100',
    'BOLT,2024-01-09,x,6,4,5,100',
  ])
  const third = at.file('third.csv', [HEADER, good('CRUX', '2024-01-02')])
  const report = await at.import([one, other, third])
  const missing = { fault: 'close: missing', rows: 2 }
  const invalid = {
    fault: 'open: not a plain decimal number',
    rows: 1,
  }
  const outside = { fault: 'open: above the high', rows: 1 }
  expect(
    report.accounts.map(({ rows, rejected, ...rest }) => [rows, rejected, rest.faults, rest.warnings]),
  ).toEqual([
    [6, 3, [missing, invalid], [outside]],
    [4, 2, [{ ...invalid, rows: 2 }], []],
    [1, 0, [], []],
  ])
  expect(report).toMatchObject({
    rejected: 5,
    faults: [{ ...invalid, rows: 3 }, missing],
    warnings: [outside],
    notes: [],
  })
})
