import { expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'

let number = 0

/** A filing of the API: by default a firm's report of $1,000 from Boeing for the first quarter of 2020. */
function filing(more: Record<string, unknown>) {
  number += 1
  return {
    filing_uuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    filing_type: 'Q1',
    filing_year: 2020,
    filing_period: 'first_quarter',
    income: '1000.00',
    expenses: null,
    dt_posted: '2020-04-15T10:00:00-04:00',
    registrant: { id: 1, name: 'A FIRM' },
    client: { id: number, name: 'BOEING COMPANY' },
    ...more,
  }
}

const all = `SELECT client_name, cycle, period_start, amount::BIGINT FROM bars ORDER BY ALL`

async function reports(pages: readonly (readonly Record<string, unknown>[])[], order = all) {
  const format = importingFormat('fec-bulk')
  const files = pages.map((results, place) =>
    format.file(`page${place}.json`, JSON.stringify({ count: results.length, next: null, results })),
  )
  await format.import(files)
  return { ...format, reported: await format.rows(order, 'lobbying_reports') }
}

test('a report belongs to the cycle of its period', async () => {
  const period = (name: string, filing_year: number, filing_period: string) =>
    filing({ filing_year, filing_period, client: { id: 1, name } })
  const { reported } = await reports([
    [
      period('A', 2019, 'first_quarter'),
      period('B', 2019, 'second_quarter'),
      period('C', 2020, 'third_quarter'),
      period('D', 2020, 'fourth_quarter'),
      period('E', 2007, 'mid_year'),
      period('F', 2006, 'year_end'),
    ],
  ])
  expect(reported).toEqual([
    'A 2020 2019-01-01 1000',
    'B 2020 2019-04-01 1000',
    'C 2020 2020-07-01 1000',
    'D 2020 2020-10-01 1000',
    'E 2008 2007-01-01 1000',
    'F 2006 2006-07-01 1000',
  ])
})

test('the version of a report that was posted last counts, wherever it is in the files', async () => {
  const client = { id: 1, name: 'A' }
  const { reported } = await reports([
    // 11:30 in New York is after 15:00 UTC.
    [filing({ client, income: '3', dt_posted: '2020-05-02T11:30:00-04:00', filing_type: '1A' })],
    [
      filing({ client, income: '2', dt_posted: '2020-05-02T15:00:00Z', filing_type: '1A' }),
      filing({ client, income: '1', dt_posted: null }),
      filing({ client, income: '4', filing_period: 'second_quarter' }),
      filing({ client, income: '5', registrant: { id: 2 } }),
      filing({ client: { id: 2, name: 'A' }, income: '6' }),
    ],
  ])
  expect(reported).toEqual([
    'A 2020 2020-01-01 3',
    'A 2020 2020-01-01 5',
    'A 2020 2020-01-01 6',
    'A 2020 2020-04-01 4',
  ])
})

test('income of firms from a client that reports its own expenses for the period is part of those expenses', async () => {
  const own = { registrant: { id: 9, name: 'BOEING' }, income: null, expenses: '5000' }
  const { reported } = await reports([
    [
      filing({ income: '1' }),
      filing({ client: { id: 50, name: 'Boeing Co.' }, income: '2' }),
      filing({ ...own }),
      filing({ income: '3', filing_period: 'second_quarter' }),
      filing({ income: '4', filing_year: 2019 }),
      filing({ income: '5', client: { id: 51, name: 'SMALL HARBOUR' } }),
      filing({ ...own, client: { id: 52, name: 'OTHER HARBOUR' } }),
      filing({ income: '6', client: { id: 53, name: 'Other Harbour' } }),
    ],
  ])
  expect(reported).toEqual([
    'BOEING COMPANY 2020 2019-01-01 4',
    'BOEING COMPANY 2020 2020-01-01 5000',
    'BOEING COMPANY 2020 2020-04-01 3',
    'OTHER HARBOUR 2020 2020-01-01 5000',
    'SMALL HARBOUR 2020 2020-01-01 5',
  ])
})

test('a filing may be a single object or in a list, with numbers or text, and its own number replaces missing ones of its parties', async () => {
  const format = importingFormat('fec-bulk')
  const uuid = '00000000-0000-4000-8000-00000000abcd'
  await format.import([
    format.file('one.json', JSON.stringify(filing({ income: 1, client: { id: 1, name: 'A' } }))),
    format.file('list.json', JSON.stringify([filing({ filing_year: '2020', client: { id: 2, name: 'B' } })])),
    format.file('third.json', JSON.stringify(filing({ filing_uuid: uuid, client: { name: 'C' } }))),
    format.file('none.json', JSON.stringify({ count: 0, next: null, results: [] })),
  ])
  expect(
    await format.rows('SELECT id, client_name FROM bars ORDER BY client_name', 'lobbying_reports'),
  ).toEqual(['1-1-2020-first_quarter A', '1-2-2020-first_quarter B', `${uuid} C`])
})

test('registrations are not reports; a report that lacks a required value is rejected with its page', async () => {
  const good = Array.from({ length: 7 }, () => filing({}))
  const { reported, rejects } = await reports(
    [
      [
        ...good,
        filing({ filing_type: 'RR', filing_year: null }),
        filing({ filing_type: 'RA' }),
        filing({ filing_uuid: null }),
        filing({ filing_type: null }),
        filing({ client: { id: 1, name: ' ' } }),
        filing({ filing_year: 1997 }),
        filing({ filing_period: 'all_year' }),
        filing({ income: '1,000' }),
        filing({ income: '-1' }),
      ],
    ],
    'SELECT count(*) FROM bars',
  )
  expect(reported).toEqual(['7'])
  expect(rejects().toSorted()).toEqual([
    '1|amount|below zero|-1',
    '1|amount|not a plain decimal number|1,000',
    '1|client.name|missing|',
    '1|filing_period|not a quarter or half-year|all_year',
    '1|filing_type|missing|',
    '1|filing_uuid|missing|',
    '1|filing_year|not a year after 1997|1997',
  ])
})
