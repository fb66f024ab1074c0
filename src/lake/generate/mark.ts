import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { resources, version } from '../../engine/resources.ts'
import { sha256Of } from '../store/content.ts'
import { readCurrent } from '../store/current.ts'
import { datasets } from '../store/datasets.ts'
import { derivations } from '../store/derivation.ts'
import { lakeFolder } from '../store/layout.ts'
import { requireRecord } from '../store/record.ts'
import type { MarketOptions } from './market.ts'

/** A hash of everything that generated rows depend on, and the options of the market as JSON. */
const MARK = /^[0-9a-f]{64} (?<options>\{.*\})$/

const shape = Compile(
  Type.Object({
    seed: Type.Number(),
    days: Type.Number(),
    tickers: Type.Number(),
    tradesPerDay: Type.Number(),
  }),
)

/** What marks a lake as one that `generate` makes with these options: they, the SQL of this version, and the schemas. */
export function markOf(options: MarketOptions): string {
  const sql = resources.list('sql/generate').map(name => resources.read(`sql/generate/${name}`))
  const schemas = [...datasets().values()].map(({ name, schemaHash }) => `${name} ${schemaHash}`)
  const derived = [...derivations().values()].map(({ hash }) => hash)
  const text = JSON.stringify(Object.fromEntries(Object.entries(options).toSorted()))
  return `${sha256Of([version(), text, ...sql, ...schemas, ...derived].join('\n'))} ${text}`
}

/** The mark of the lake's current snapshot: null if it has other data than generated ones, undefined if there is no lake. */
export async function currentMark(lake: string): Promise<string | null | undefined> {
  const folder = lakeFolder(lake)
  const number = await readCurrent(folder)
  return number === null ? undefined : ((await requireRecord(folder, number)).generated ?? null)
}

/** The options of a marked market: of a preview, those of the whole one. */
export interface Marked {
  readonly options: MarketOptions
  readonly isPreview: boolean
}

/** The options in a mark; null for the mark of a version that did not write them. */
export function readMark(mark: string): Marked | null {
  try {
    const value: { readonly whole?: unknown } = JSON.parse(MARK.exec(mark)?.groups?.options ?? 'null') ?? {}
    const options = value.whole ?? value
    return shape.Check(options) ? { options, isPreview: value.whole !== undefined } : null
  } catch {
    return null
  }
}
