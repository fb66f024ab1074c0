import { expect, test } from 'vitest'
import { importingFormat } from './formats.ts'
import { investor, submission, table } from './sec/thirteen-f.ts'

/** A value that is too large for its column only once it is converted rejects its row, not the import. */

const MANAGER = { cik: '9000100', name: 'Alderbrook', 'report-date': '2022-09-30' }
const OTHERS = [{ value: '2' }, { cusip: '11299B105', value: '3' }, { cusip: '15499C100', value: '4' }]

test.each([
  // 1.2e15 thousands are 1.2e18 dollars, of which DECIMAL(18, 2) holds 1e16.
  ['2022-11-10', '1200000000000000', ['10|value|too large|1200000000000000']],
  ['2022-11-10', '9000000000000', []],
  ['2023-02-10', '9000000000000000', []],
  ['2023-02-10', '10000000000000000', ['10|value|too large|10000000000000000']],
])('a 13F filed on %s with the value %s', async (filed, value, rejects) => {
  const at = importingFormat('sec-13f')
  const file = at.file('table.xml', table(...OTHERS, { cusip: '24799D108', value }))
  const report = await at.import([file], { options: { ...MANAGER, 'filing-date': filed } })
  expect(report).toMatchObject({ rejected: rejects.length })
  expect(at.rejects().map(each => each.replace(/^\d+/, '10'))).toEqual(rejects)
  const factor = filed < '2023' ? '000' : ''
  const rows = await at.rows('SELECT cusip, value FROM bars ORDER BY cusip', 'institution_holdings')
  expect(rows).toEqual(
    [
      `00199A104 2${factor}.00`,
      `11299B105 3${factor}.00`,
      `15499C100 4${factor}.00`,
      `24799D108 ${value}${factor}.00`,
    ].slice(0, 4 - rejects.length),
  )
})

test('13F units times any bound', async () => {
  const at = importingFormat('sec-13f')
  const file = at.file('table.xml', table(...OTHERS, { cusip: '24799D108', units: '9000000000000000000' }))
  await at.import([file], { options: { ...MANAGER, 'filing-date': '2023-02-10' } })
  expect(at.rejects()).toEqual([])
  const units = await at.rows("SELECT units FROM bars WHERE cusip = '24799D108'", 'institution_holdings')
  expect(units).toEqual(['9000000000000000000'])
})

test.each([
  ['cover.txt', submission({ total: '9999999999999999' }, {})],
  ['quarters.json', investor({ '2024 Q1': [{}] }, { values: [9_000_000_000_000_000] })],
])('13F totals of any size, in %s', async (name, content) => {
  const at = importingFormat('sec-13f')
  const report = await at.import([at.file(name, content)])
  expect(report.rejected).toBe(0)
  expect(await at.rows('SELECT value FROM bars', 'institution_holdings')).toEqual(['2000.00'])
})

test('a volume in the quote currency whose volume in the base currency is too large', async () => {
  const at = importingFormat('crypto-bars')
  const file = at.file('SHIB-USD.csv', [
    'date,open,high,low,close,volume',
    '2024-03-04,0.0000000001,0.0000000001,0.0000000001,0.0000000001,99999999999999999999',
    '2024-03-05,2,2,2,2,10',
  ])
  await at.import([file], { options: { volume: 'quote' } })
  expect(at.rejects()).toEqual(['2|volume|too large|99999999999999999999'])
  expect(await at.rows('SELECT date, volume FROM bars', 'crypto_candles')).toEqual(['2024-03-05 5.00000000'])
})

test('values that fit alone but not as a sum are refused by name, and nothing is published', async () => {
  const at = importingFormat('sec-13f')
  const large = '9000000000000000'
  const file = at.file('table.xml', table({ value: large }, { cusip: '24799D108', value: large }))
  expect(await at.refusal([file], { options: { ...MANAGER, 'filing-date': '2023-02-10' } })).toMatch(
    /^input_refused: institution_totals of 2022-09-30 cannot be computed .*: correct their values; nothing was published$/,
  )
})
