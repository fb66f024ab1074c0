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
  const work = async (draft: Draft): Promise<Generated> => {
    if (draft.base.record !== null && draft.base.record.generated === undefined)
      throw new Failure('usage', `${lake} holds imported data, which stays: name another folder`)
    const market = await prepareMarket(writer, options)
    const rows = new Map<string, number>()
    const landIn = async (into: Draft, name: string, table: string) => {
      const landed = await landTable(into, name, table)
      rows.set(name, (rows.get(name) ?? 0) + landed)
    }
    const take: Take = (name, table) => landIn(draft, name, table)
    const report = (done: number) =>
      observe({ kind: 'progress', task: 'generate', done, total: market.days.length, unit: 'days' })
    report(0)
    await generateSpan(writer, market, take, [...SPAN_STEPS, ...REFERENCE_STEPS])
    for (const day of market.days) await generateStocks(writer, market, day, take)
    await derive(draft, { datasets: ['stock_days'] })
    await generateOptionDays(draft, market, landIn, report)
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
 * Makes the options of all days. A day's statements leave cores idle now and then, so that a day is written and
 * derived from on a connection of its own while the next one is made.
 */
async function generateOptionDays(
  draft: Draft,
  market: Market,
  landIn: (into: Draft, dataset: string, table: string) => Promise<void>,
  report: (done: number) => void,
): Promise<void> {
  const beside = await draft.writer.beside()
  // The days that are made tell of the progress for both.
  const second = { ...draft.through(beside), observe: () => {} }
  const settle = async (day: string, made: readonly [string, string][]) => {
    for (const [name, table] of made) await landIn(second, name, table)
    await derive(second, { datasets: FROM_OPTIONS, date: day })
  }
  let settling: Promise<void> = Promise.resolve()
  try {
    for (const [index, day] of market.days.entries()) {
      const made: [string, string][] = []
      await generateOptions(draft.writer, market, day, async (name, table) => {
        made.push([name, table])
      })
      await settling
      settling = settle(day, made)
      // What it rejects with is met when it is awaited.
      settling.catch(() => {})
      report(index + 1)
    }
    await settling
  } finally {
    await settling.catch(() => {})
    beside.close()
  }
}

/** Lands the rows of a table and drops it; answers how many they are. */
async function landTable(draft: Draft, name: string, table: string): Promise<number> {
  const { writer } = draft
  await writer.run('DROP TABLE IF EXISTS incoming')
  await writer.run(`CREATE TEMP VIEW incoming AS FROM ${table}`)
  const { rows } = await land(draft, dataset(name))
  await writer.run('DROP VIEW incoming')
  await writer.run(`DROP TABLE ${table}`)
  return rows
}
