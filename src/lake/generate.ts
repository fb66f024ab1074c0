import { Failure } from '../engine/failure.ts'
import type { Observe } from '../engine/observation.ts'
import { resources, version } from '../engine/resources.ts'
import type { Writer } from '../engine/writer.ts'
import { sha256Of } from './content.ts'
import { readCurrent } from './current.ts'
import { dataset, datasets } from './datasets.ts'
import { derivations } from './derivation.ts'
import { derive } from './derive.ts'
import { type Draft, withDraft } from './draft.ts'
import {
  dropMarket,
  generateOptions,
  generateSpan,
  generateStocks,
  type Market,
  type MarketOptions,
  prepareMarket,
  type Take,
} from './generate-market.ts'
import { REFERENCE_STEPS } from './generate-reference.ts'
import { SPAN_STEPS } from './generate-steps.ts'
import { land } from './land.ts'
import { lakeFolder } from './layout.ts'
import { requireRecord } from './record.ts'

/** What a generation made. */
export interface Generated {
  /** The lake's snapshot afterwards. */
  readonly snapshot: number
  /** Rows landed, derived ones not counted, by dataset. */
  readonly rows: ReadonlyMap<string, number>
  /** First and last session with option trades. */
  readonly from: string
  readonly to: string
}

/** Whether the lake's current snapshot is what `generate` would make of these options now. */
export async function isGenerated(lake: string, options: MarketOptions): Promise<boolean> {
  const folder = lakeFolder(lake)
  const number = await readCurrent(folder)
  return number !== null && (await requireRecord(folder, number)).generated === generatorOf(options)
}

/** What distinguishes a generation from any other: its options, the SQL of this version, and the columns it fills. */
function generatorOf(options: MarketOptions): string {
  const sql = resources.list('sql/generate').map(name => resources.read(`sql/generate/${name}`))
  const schemas = [...datasets().values()].map(({ name, schemaHash }) => `${name} ${schemaHash}`)
  const derived = [...derivations().values()].map(({ hash }) => hash)
  return sha256Of(
    [version(), JSON.stringify(Object.entries(options).toSorted()), ...sql, ...schemas, ...derived].join(
      '\n',
    ),
  )
}

/**
 * Makes a synthetic market and everything derived from it, published as one snapshot in place of what a former
 * generation made. Rejects with usage where an option is out of its bounds or the lake holds imported data, and as
 * landing does.
 */
export async function generate(
  writer: Writer,
  lake: string,
  options: MarketOptions,
  observe: Observe,
): Promise<Generated> {
  const market = await prepareMarket(writer, options)
  const work = async (draft: Draft): Promise<Generated> => {
    if (draft.base.record !== null && draft.base.record.generated === undefined)
      throw new Failure('usage', `${lake} holds imported data, which stays: name another folder`)
    const rows = new Map<string, number>()
    const take: Take = async name => {
      const landed = await land(draft, dataset(name))
      rows.set(name, (rows.get(name) ?? 0) + landed.rows)
    }
    const report = (done: number) =>
      observe({ kind: 'progress', task: 'generate', done, total: market.days.length, unit: 'days' })
    report(0)
    await generateSpan(writer, market, take, [...SPAN_STEPS, ...REFERENCE_STEPS])
    for (const day of market.days) await generateStocks(writer, market, day, take)
    await derive(draft, { datasets: ['stock_days'] })
    await generateOptionDays(draft, market, take, report)
    await dropMarket(writer)
    await derive(draft)
    const snapshot = await draft.publish(generatorOf(options))
    return { snapshot, rows, from: market.days[0] ?? market.to, to: market.to }
  }
  return withDraft(writer, lake, observe, work, { afresh: true })
}

/** What is derived from one day of options while the next day is made. */
const FROM_OPTIONS = ['contract_days', 'flow_alerts', 'multi_leg_legs']

/**
 * Makes the options of all days. A day's statements leave cores idle now and then, so that what is derived from a day
 * is computed on a connection of its own meanwhile.
 */
async function generateOptionDays(
  draft: Draft,
  market: Market,
  take: Take,
  report: (done: number) => void,
): Promise<void> {
  const beside = await draft.writer.beside()
  // The days that are made tell of the progress for both.
  const second = { ...draft.through(beside), observe: () => {} }
  let deriving: Promise<unknown> = Promise.resolve()
  try {
    for (const [index, day] of market.days.entries()) {
      await generateOptions(draft.writer, market, day, take)
      await deriving
      deriving = derive(second, { datasets: FROM_OPTIONS, date: day })
      // What it rejects with is met when it is awaited.
      deriving.catch(() => {})
      report(index + 1)
    }
    await deriving
  } finally {
    await deriving.catch(() => {})
    beside.close()
  }
}
