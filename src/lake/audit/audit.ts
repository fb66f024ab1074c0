import { type Bindings, date, integer } from '../../engine/bind.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { FIRST_DAY, LAST_DAY } from '../../market/day.ts'
import { windowOf } from '../derive/fingerprint.ts'
import { manifestsOf } from '../publish/base.ts'
import { currentNumber } from '../store/current.ts'
import { dataset } from '../store/datasets.ts'
import { type HeldDays, type Holdings, heldDays, isUndivided } from '../store/held-days.ts'
import { lakeFolder, pathOf } from '../store/layout.ts'
import { requireRecord } from '../store/record.ts'
import { loadSnapshot } from '../store/snapshot.ts'
import { type Check, checks, HELD_DAYS, type Search } from './check.ts'
import { makeDayTables } from './day-tables.ts'

export interface AuditOptions {
  /** The first and the last day to search, `YYYY-MM-DD`. Default: all days. */
  readonly from?: string
  readonly to?: string
  /** Names of checks. Default: all. */
  readonly only?: readonly string[]
  /** Examples per dataset and check. Default: 3. */
  readonly examples?: number
}

export interface Example {
  readonly date: string
  /** A ticker, an option symbol or another key; null for a finding on a whole day. */
  readonly ticker: string | null
  readonly value: string
  readonly reason: string
}

/** The findings of one check in one dataset. */
export interface Found {
  readonly check: string
  readonly summary: string
  readonly dataset: string
  readonly findings: number
  readonly first_day: string
  readonly last_day: string
  /** The earliest ones. */
  readonly examples: readonly Example[]
}

export interface Audit {
  readonly snapshot: number
  /** Names of the checks that searched something. */
  readonly checks: readonly string[]
  readonly found: readonly Found[]
}

/**
 * Searches the current snapshot for rows that are improbable. A search reads a limited number of days at a time, so
 * that memory does not grow with the lake. Searches whose datasets the lake lacks are skipped. Rejects with
 * lake_missing, lake_damaged or lake_newer if the snapshot cannot be read.
 */
export async function audit(
  writer: Writer,
  lake: string,
  observe: Observe,
  options: AuditOptions = {},
): Promise<Audit> {
  const folder = lakeFolder(lake)
  const record = await requireRecord(folder, await currentNumber(folder))
  const holdings: Holdings = {
    writer,
    manifests: each => manifestsOf(folder, record, each),
    path: ({ name }) => pathOf(folder, name),
  }
  const known = new Map<string, HeldDays>()
  const held = async (name: string) => {
    const days = known.get(name) ?? (await heldDays(holdings, dataset(name)))
    known.set(name, days)
    return days
  }
  await makeDayTables(writer, await loadSnapshot(folder, record.number))
  const searched: string[] = []
  const found: Found[] = []
  for (const check of checks().filter(({ name }) => options.only?.includes(name) ?? true))
    for (const search of check.searches) {
      const inputs = new Map<string, HeldDays>()
      for (const { dataset: input } of search.reads) inputs.set(input.name, await held(input.name))
      if ([...inputs.values()].some(({ days }) => days.length === 0)) continue
      for (const { dataset: input } of search.joins) inputs.set(input.name, await held(input.name))
      searched.push(check.name)
      found.push(...(await runSearch(writer, check, search, inputs, observe, options)))
    }
  return { snapshot: record.number, checks: [...new Set(searched)], found: merged(found) }
}

/** Runs a search over its days, some at a time. */
async function runSearch(
  writer: Writer,
  { name, summary, run }: Check,
  { finds, reads, joins, sql }: Search,
  inputs: ReadonlyMap<string, HeldDays>,
  observe: Observe,
  { from: since = FIRST_DAY, to: until = LAST_DAY, examples = 3 }: AuditOptions,
): Promise<Found[]> {
  const all = inputs.get(finds)?.days
  // The table of days is searched in one statement.
  const days = all?.filter(day => since <= day && day <= until) ?? [since]
  const found: Found[] = []
  for (let next = 0; next < days.length; next += run) {
    observe({ kind: 'progress', task: `audit ${name}`, done: next, total: days.length, unit: 'days' })
    const own = days.slice(next, next + run)
    const [from, to] = all ? [own[0] ?? '', own.at(-1) ?? ''] : [since, until]
    const rows = await writer.rows(SUMMARY(sql, finds), {
      ...(await filesOf(writer, [...reads, ...joins], inputs, from, to)),
      from: date(from),
      to: date(to),
      examples: integer(examples),
    })
    for (const row of rows)
      found.push({
        check: name,
        summary,
        dataset: String(row.dataset),
        findings: Number(row.findings),
        first_day: String(row.first_day),
        last_day: String(row.last_day),
        examples: row.examples as unknown as Example[],
      })
  }
  return found
}

/** The files of each input that the days from `from` to `to` need. */
async function filesOf(
  writer: Writer,
  reads: Search['reads'],
  inputs: ReadonlyMap<string, HeldDays>,
  from: string,
  to: string,
): Promise<Bindings> {
  const bound = reads.map(async ({ dataset: input, reach }) => {
    const held = inputs.get(input.name)
    if (held === undefined) throw new Error(`${input.name} is not loaded`)
    const window = isUndivided(input)
      ? { from: FIRST_DAY, to: LAST_DAY }
      : { from: windowOf(reach, held, from, false).from, to: windowOf(reach, held, to, false).to }
    return [input.name, await writer.bindFiles(input, held.files(window.from, window.to))] as const
  })
  return Object.fromEntries(await Promise.all(bound))
}

/** The number, the days and the first examples of the findings of a search, by dataset. */
const SUMMARY = (sql: string, finds: string) => `
  WITH findings AS (${sql}), texts AS (
    SELECT
      ${finds === HELD_DAYS ? 'dataset' : `'${finds}'`} AS dataset,
      date::VARCHAR AS date,
      ticker::VARCHAR AS ticker,
      value::VARCHAR AS value,
      reason
    FROM findings
  )
  SELECT
    dataset,
    count(*)::DOUBLE AS findings,
    min(date) AS first_day,
    max(date) AS last_day,
    arg_min(
      {'date': date, 'ticker': ticker, 'value': value, 'reason': reason},
      concat_ws(' ', date, ticker, value, reason),
      $examples
    ) AS examples
  FROM texts
  GROUP BY dataset
  ORDER BY dataset`

/** Findings of the same check and dataset in one, with the first examples. */
function merged(found: readonly Found[]): Found[] {
  const all = new Map<string, Found>()
  for (const next of found) {
    const key = `${next.check} ${next.dataset}`
    const before = all.get(key)
    all.set(key, before ? joined(before, next) : next)
  }
  return [...all.values()]
}

function joined(one: Found, other: Found): Found {
  const count = Math.max(one.examples.length, other.examples.length)
  const examples = [...one.examples, ...other.examples].toSorted((a, b) => (a.date < b.date ? -1 : 1))
  return {
    ...one,
    findings: one.findings + other.findings,
    first_day: one.first_day < other.first_day ? one.first_day : other.first_day,
    last_day: one.last_day > other.last_day ? one.last_day : other.last_day,
    examples: examples.slice(0, count),
  }
}
