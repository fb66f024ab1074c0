import { column } from './column.ts'
import type { Lake } from './lake.ts'
import { descending, ordered } from './order.ts'

export const withoutZeros = (cik: string): string => cik.replace(/^0+(?=\d)/, '')

const NAMES = new WeakMap<Lake, ReadonlyMap<string, string>>()

/** The name of each institution by CIK: that of `institutions`, else as filed with its latest report that has one. */
function namesOf(lake: Lake): ReadonlyMap<string, string> {
  const known = NAMES.get(lake)
  if (known !== undefined) return known
  const names = new Map<string, string>()
  NAMES.set(lake, names)
  for (const { cik, name } of lake.rows('institutions')) names.set(String(cik), String(name))
  const newestFirst = ordered(
    lake.rows('institution_totals'),
    descending(column('report_date')),
    descending(column('filing_date')),
  )
  for (const { cik, institution_name: filed } of newestFirst)
    if (filed !== null && !names.has(String(cik))) names.set(String(cik), String(filed))
  return names
}

/** The CIK that a CIK or a name stands for: the whole name in any case, else a part of exactly one name; else null. */
export function cikOf(lake: Lake, name: string): string | null {
  const wanted = name.trim().toLowerCase()
  if (/^\d+$/.test(wanted)) return withoutZeros(wanted)
  const names = [...namesOf(lake)].map(([cik, each]) => [cik, each.toLowerCase()] as const)
  const whole = names.filter(([, each]) => each === wanted)
  const matches = whole.length > 0 ? whole : names.filter(([, each]) => each.includes(wanted))
  return matches.length === 1 ? (matches[0]?.[0] ?? null) : null
}

export const WAYS = 6

/** Ways to name an institution in a request: its CIK, its name, and parts of the name. */
export function waysToName(lake: Lake, cik: string): string[] {
  const name = namesOf(lake).get(cik) ?? cik
  return [cik, `000${cik}`, name, name.toUpperCase(), name.slice(1, -1), name.split(' ')[0] ?? name]
}
