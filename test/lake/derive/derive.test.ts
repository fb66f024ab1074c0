import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { files } from '../../../src/engine/bind.ts'
import { openWriter, type Writer } from '../../../src/engine/writer.ts'
import { derive } from '../../../src/lake/derive/derive.ts'
import { withDraft } from '../../../src/lake/land/draft.ts'
import { compact } from '../../../src/lake/maintain/compact.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest, temporaryFolder } from '../../fixtures/lake.ts'
import { amount, sampleOf } from '../../fixtures/tier.ts'
import { silent, writerForTest } from '../store/days.ts'
import { chains, change, SESSIONS, trades } from './derived-lake.ts'

const [D1, D2, D3, D4, D5, D6] = SESSIONS as [string, string, string, string, string, string]
const INTERESTS = { [D1]: 100, [D2]: 110, [D3]: 120, [D4]: 115, [D5]: 115, [D6]: 115 }

/** A lake of six days of options, which each test changes a copy of. */
const folder = temporaryFolder()
const whole = join(folder, 'lake')
let computedAtFirst: Awaited<ReturnType<typeof change>>
beforeAll(async () => {
  const writer = await openWriter({ directories: [whole] })
  computedAtFirst = await change(writer, whole, {
    option_trades: trades(SESSIONS),
    option_chain_days: chains(INTERESTS),
  })
  writer.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function optionLake() {
  const lake = join(folderForTest(), 'lake')
  cpSync(whole, lake, { recursive: true })
  return { lake, writer: await writerForTest(lake), computed: computedAtFirst }
}

async function rows(writer: Writer, lake: string, dataset: string, columns: string): Promise<string[]> {
  const paths = (await loadSnapshot(lake)).files(dataset).map(({ path }) => path)
  if (paths.length === 0) return []
  const found = await writer.rows(
    `SELECT concat_ws(' ', ${columns}) AS row FROM read_parquet($paths, hive_partitioning = false) ORDER BY date`,
    { paths: files(paths) },
  )
  return found.map(({ row }) => String(row))
}

const checksums = async (writer: Writer, lake: string) => (await verify(writer, lake, silent)).datasets

describe('a derived dataset', () => {
  test('is computed once for each day of its sources, in their snapshot, and not again', async () => {
    const { lake, writer, computed } = await optionLake()
    expect(computed).toMatchObject({
      contract_days: SESSIONS,
      option_ticker_days: SESSIONS,
      option_volatility_days: SESSIONS,
      flow_alerts: SESSIONS,
      multi_leg_legs: SESSIONS,
    })
    expect((await loadSnapshot(lake)).number).toBe(1)
    // Open interest rises twice, falls, then stays.
    expect(
      await rows(writer, lake, 'contract_days', 'date, open_interest, prev_oi, days_of_oi_increases'),
    ).toEqual([
      `${D1} 100 0`,
      `${D2} 110 100 1`,
      `${D3} 120 110 2`,
      `${D4} 115 120 0`,
      `${D5} 115 115 0`,
      `${D6} 115 115 0`,
    ])
    expect(await change(writer, lake, {})).toEqual({})
    expect((await loadSnapshot(lake)).number).toBe(1)
  })

  test('is recomputed after a change of a past open interest, on the days that depend on it and no others', {
    tags: 'slow',
  }, async () => {
    const { lake, writer } = await optionLake()
    const computed = await change(writer, lake, { option_chain_days: chains({ [D2]: 105 }) })
    // The day itself; the next one, whose former open interest it is; and the one after that, which comes out as
    // before, so that nothing after it is looked at. Alerts see the open interest through contract_days alone.
    expect(computed).toEqual({
      treasury_days: [D2],
      option_greek_days: [D2],
      contract_days: [D2, D3, D4],
      option_volatility_days: [D2],
      option_ticker_days: [D2, D3],
      flow_alerts: [D2, D3],
    })
    expect(
      await rows(writer, lake, 'contract_days', 'date, open_interest, prev_oi, days_of_oi_increases'),
    ).toEqual([
      `${D1} 100 0`,
      `${D2} 105 100 1`,
      `${D3} 120 105 2`,
      `${D4} 115 120 0`,
      `${D5} 115 115 0`,
      `${D6} 115 115 0`,
    ])
  })

  const ORDERS = [
    ['chain before its trades', ['option_chain_days', 'option_trades']],
    ['trades before its chain', ['option_trades', 'option_chain_days']],
  ] as const
  test.each(sampleOf(ORDERS, amount({ test: 1, prove: 2, long: 2 })))(
    'is the same after a late day between others as if computed at once, the %s',
    { tags: 'slow' },
    async (_, order) => {
      const { lake, writer } = await optionLake()
      const late = join(folderForTest(), 'lake')
      const other = await writerForTest(late)
      const without = SESSIONS.filter(day => day !== D3)
      const of: Readonly<Record<string, (days: readonly string[]) => string>> = {
        option_trades: days =>
          trades(SESSIONS)
            .split(' UNION ALL ')
            .filter((_select, index) => days.includes(SESSIONS[index] ?? ''))
            .join(' UNION ALL '),
        option_chain_days: days =>
          chains(Object.fromEntries(Object.entries(INTERESTS).filter(([day]) => days.includes(day)))),
      }
      await change(other, late, Object.fromEntries(order.map(name => [name, of[name]?.(without) ?? ''])))
      expect((await rows(other, late, 'contract_days', 'date')).length).toBe(without.length)
      for (const name of order) {
        const computed = await change(other, late, { [name]: of[name]?.([D3]) ?? '' })
        expect(computed.contract_days?.slice(0, 2)).toEqual([D3, D4])
      }
      expect(await checksums(other, late)).toEqual(await checksums(writer, lake))
    },
  )

  test('that is lost is computed again to the same rows', async () => {
    const { lake, writer } = await optionLake()
    const before = await checksums(writer, lake)
    for (const folder of [lake, join(lake, 'manifests')])
      for (const name of readdirSync(folder))
        if (/^(contract|option_ticker|flow|multi)/.test(name)) rmSync(join(folder, name), { recursive: true })
    const computed = await change(writer, lake, {})
    expect(computed).toMatchObject({ contract_days: SESSIONS, flow_alerts: SESSIONS })
    expect(computed).not.toHaveProperty('option_volatility_days')
    expect(await checksums(writer, lake)).toEqual(before)
  })

  test('is computed again where a file is missing, and nowhere else', { tags: 'slow' }, async () => {
    const { lake, writer } = await optionLake()
    const before = await checksums(writer, lake)
    const lost = (await loadSnapshot(lake)).files('chain_frags').find(({ dates }) => dates[0] === D3)
    rmSync(lost?.path ?? '')
    expect(await change(writer, lake, {})).toEqual({ chain_frags: [D3] })
    expect(await checksums(writer, lake)).toEqual(before)
  })

  test('is the same when all of it is computed again', { tags: 'slow' }, async () => {
    const { lake, writer } = await optionLake()
    const before = await checksums(writer, lake)
    expect(await change(writer, lake, {}, { afresh: true })).toMatchObject({ contract_days: SESSIONS })
    expect(await checksums(writer, lake)).toEqual(before)
  })

  test('stays fresh when its sources are compacted, and when it is itself', { tags: 'slow' }, async () => {
    const { lake, writer } = await optionLake()
    const bars = (days: readonly string[]) =>
      days
        .map(day => `SELECT 'ACME' AS ticker, DATE '${day}' AS date, 1 AS close, 5 AS volume`)
        .join(' UNION ALL ')
    await change(writer, lake, { daily_bars: bars(SESSIONS) })
    await change(writer, lake, { daily_bars: bars(['2024-02-01']) })
    const before = await checksums(writer, lake)
    const { merged } = await compact(writer, lake, silent)
    expect(merged.map(({ dataset }) => dataset).toSorted()).toEqual(['daily_bars', 'stock_days'])
    expect(await change(writer, lake, {})).toEqual({})
    expect(await checksums(writer, lake)).toEqual(before)
  })
})

test('only the requested day is computed, and the rest is reported as stale', async () => {
  const { lake, writer } = await optionLake()
  const computed = await change(
    writer,
    lake,
    { option_chain_days: chains({ [D2]: 105, [D5]: 90 }) },
    { date: D5 },
  )
  expect(computed).toMatchObject({ contract_days: [D5] })
  const { stale, problems } = await verify(writer, lake, silent)
  expect(problems).toEqual([])
  expect(stale.get('contract_days')).toEqual([D2, D6])
})

test('only what a dataset feeds is looked at after its import', async () => {
  const { lake, writer } = await optionLake()
  const computed = await change(
    writer,
    lake,
    {
      option_chain_days: chains({ [D6]: 200 }),
      daily_bars: `SELECT 'ACME' AS ticker, DATE '${D6}' AS date, 1 AS close`,
    },
    { fedBy: ['daily_bars'] },
  )
  // contract_days reads stock_days, which daily_bars makes.
  expect(Object.keys(computed).toSorted()).toEqual([
    'contract_days',
    'flow_alerts',
    'option_ticker_days',
    'price_adjustments',
    'stock_days',
  ])
  expect((await verify(writer, lake, silent)).stale.get('option_volatility_days')).toEqual([D6])
})

test('a dataset is derived together with its inputs', { tags: 'slow' }, async () => {
  const { lake, writer } = await optionLake()
  const computed = await change(
    writer,
    lake,
    { option_chain_days: chains({ [D6]: 200 }) },
    { datasets: ['option_ticker_days'] },
  )
  expect(computed).toEqual({
    treasury_days: [D6],
    option_greek_days: [D6],
    contract_days: [D6],
    option_ticker_days: [D6],
  })
})

test('a treasury yield that arrives later changes the figures of the days on which it was known', {
  tags: 'slow',
}, async () => {
  const { lake, writer } = await optionLake()
  // Known on the second weekday after its date: D3, Thursday the 4th.
  const point = `SELECT 'treasury-yield' AS indicator, '10year' AS maturity, 'daily' AS interval, DATE '${D1}' AS date, 5 AS value`
  const rates = () => rows(writer, lake, 'option_greek_days', 'date, rate')
  expect(await rates()).toEqual(SESSIONS.map(day => `${day} 0.0000000000`))
  const computed = await change(writer, lake, { economic_points: point })
  const known = [D3, D4, D5, D6]
  expect(computed.treasury_days).toEqual(SESSIONS)
  expect(computed.option_greek_days).toEqual(known)
  // 2 ln(1.025).
  expect(await rates()).toEqual(
    SESSIONS.map(day => `${day} ${known.includes(day) ? '0.0493852252' : '0.0000000000'}`),
  )
  expect((await verify(writer, lake, silent)).stale).toEqual(new Map())
})

test('days are removed with all of their inputs', async () => {
  const { lake, writer } = await optionLake()
  const dropped = await withDraft(writer, lake, silent, async draft => {
    for (const name of ['option_trades', 'option_chain_days']) await draft.drop(dataset(name), [D6])
    const outcomes = await derive(draft)
    await draft.publish()
    return outcomes
  })
  expect(dropped.find(each => each.dataset === 'contract_days')).toEqual({
    dataset: 'contract_days',
    computed: [],
    dropped: [D6],
  })
  expect(await rows(writer, lake, 'contract_days', 'date')).toEqual([D1, D2, D3, D4, D5])
  expect(await rows(writer, lake, 'option_ticker_days', 'date')).toEqual([D1, D2, D3, D4, D5])
  expect((await verify(writer, lake, silent)).stale).toEqual(new Map())
})

test('sums that overflow a column are rejected by name, and nothing is published', async () => {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  const huge = (id: string) =>
    trades([D1])
      .replace('2100 AS premium', '99999999999999 AS premium')
      .replace('00000000000', `0000000000${id}`)
  const rows = { option_trades: `${huge('1')} UNION ALL ${huge('2')}` }
  await expect(change(writer, lake, rows)).rejects.toMatchObject({
    code: 'input_refused',
    message: expect.stringMatching(/^chain_frags of 2024-01-02 cannot be computed from its inputs/),
  })
  await expect(loadSnapshot(lake)).rejects.toMatchObject({ code: 'lake_missing' })
})
