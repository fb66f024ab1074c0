import { basename } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '../../src/engine/resources.ts'
import { detect } from '../../src/lake/import/detect/detect.ts'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'
import { SERIES } from '../../src/market/economy-series.ts'
import { answer, type Pinned, pin, settle } from '../../src/operations/answering/answer.ts'
import { operations } from '../../src/operations/index.ts'
import { engineFor } from '../fixtures/service.ts'
import { recordsOf } from '../golden/cases.ts'
import { importingFormat } from '../sql/import/formats.ts'
import { type AnsweredLake, openAnsweredLake, patience } from './requests.ts'

/** The format `answers`: responses of a generated lake, saved and imported into an empty lake. */

let lake: AnsweredLake
beforeAll(async () => {
  lake = await openAnsweredLake()
}, 300_000)
afterAll(() => lake.close())

/** Operations whose response shows all that it is made from: the same request has the same response again. */
const WHOLE = [
  'alerts',
  'cash-flows',
  'congress-politicians',
  'contract-flow',
  'crypto-ohlc',
  'economy',
  'forex-rate',
  'greeks',
  'insiders',
  'potus-posts',
  'prediction-insiders',
  'prediction-liquidity',
]
/** Operations whose response shows a part of what it is made from, with the fields that are the same again. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  // Reports of one day are in the order of ids, which the response does not show.
  'congress-late-reports': ['politician_id', 'ticker', 'amounts', 'filed_at_date', 'notes'],
  'etf-holdings': [
    'ticker',
    'name',
    'type',
    'sector',
    'has_options',
    'weight',
    'shares',
    'open',
    'close',
    'volume',
  ],
  'etf-info': [
    'name',
    'etf_company',
    'inception_date',
    'expense_ratio',
    'holdings_count',
    'aum',
    'has_options',
  ],
  'option-stance': ['option_symbol', 'dte', 'delta', 'gamma', 'theta', 'vega', 'iv', 'open_interest'],
  'screener-option-contracts': ['option_symbol', 'open_interest', 'bid', 'ask', 'iv', 'delta', 'vega', 'dte'],
}
/** Profiles of institutions are shown only beside holdings, which the response does not have. */
const HIDDEN = ['institutions']

const pinnedOf = (id: string) => lake.pinned.get(id) as Pinned
const bodyOf = async (id: string): Promise<unknown> => JSON.parse((await lake.read(id, 'json')).toString())
const tickerOf = (id: string) => String(pinnedOf(id).values.ticker)

/** The lines of the fields of each record, sorted. */
const shown = (body: unknown, fields: readonly string[]) =>
  recordsOf(body)
    .map(record => JSON.stringify(fields.map(name => Reflect.get(record as object, name))))
    .toSorted()

test('saved responses fill an empty lake, which gives the same responses; sums are refused by name', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  const at = importingFormat('answers')
  const save = async (id: string) => at.file(`${id}.json`, JSON.stringify(await bodyOf(id)))
  const paths: string[] = []
  for (const { id } of operations) if (!id.startsWith('etf-')) paths.push(await save(id))
  const detected = await detect(paths)
  expect(
    detected.map(({ path, candidates }) => [basename(path), ...candidates.map(({ format }) => format)]),
  ).toEqual(paths.map(path => [basename(path), 'answers']))
  const report = await at.import(paths)
  expect(report).toMatchObject({ rejected: 0, notes: [] })
  const kept = [...WHOLE, ...Object.keys(PARTS), ...HIDDEN]
  const refused = report.refused.map(({ file, reason }) => [basename(file, '.json'), reason] as const)
  expect(refused.map(([id]) => id).toSorted()).toEqual(
    operations
      .map(({ id }) => id)
      .filter(id => !kept.includes(id))
      .toSorted(),
  )
  for (const [id, reason] of refused)
    expect(reason).toMatch(new RegExp(`${id}\\.json is a response of ${id}, which .*: import `))

  for (const id of ['etf-info', 'etf-holdings']) {
    const path = await save(id)
    if (id === 'etf-info') expect(await at.refusal([path])).toContain('--ticker')
    const options = { ticker: tickerOf(id), date: lake.snapshot.lastDate('stock_days') ?? '' }
    await at.import([path], { options })
  }
  const rows = (dataset: string) => at.rows('SELECT count(*) FROM bars', dataset)
  expect(await rows('institutions')).toEqual([String(recordsOf(await bodyOf('institutions')).length)])

  const snapshot = await loadSnapshot(at.lake)
  const engine = await engineFor(at.lake)
  const again = async (id: string): Promise<unknown> => {
    const { operation, values } = pinnedOf(id)
    // Contracts of other responses have figures of the screener, too.
    const more = id === 'screener-option-contracts' ? { limit: 250 } : {}
    const request = pin(operation, { ...values, ...more }, snapshot, { owner: null, admin: true })
    const { bytes } = await answer(await settle(request, engine, patience), engine, 'json', patience)
    return JSON.parse(Buffer.from(bytes).toString())
  }
  try {
    for (const id of WHOLE) expect(await again(id), id).toEqual(await bodyOf(id))
    for (const [id, fields] of Object.entries(PARTS)) {
      const [before, after] = [shown(await bodyOf(id), fields), shown(await again(id), fields)]
      // The lake has what the response shows and, from other responses, more.
      if (id !== 'screener-option-contracts') expect(after, id).toEqual(before)
      else
        expect(
          before.filter(line => !after.includes(line)),
          id,
        ).toEqual([])
    }
  } finally {
    await engine.close()
  }
})

test('every economic series is known by its name', () => {
  const sql = resources.read('sql/import/answers/markets.sql')
  for (const [indicator, { name }] of Object.entries(SERIES))
    expect(sql).toContain(`('${name}', '${indicator}')`)
})
