import { literal, text } from '../../../engine/bind.ts'
import { Failure } from '../../../engine/failure.ts'
import { type ColumnRule, listed } from './layout.ts'

/** What rules read, in one file. */
export interface Origins {
  /** SQL of a column of the file as trimmed text, NULL if blank; undefined if the file lacks it. */
  column(name: string): string | undefined
  /** The values of flags. */
  readonly options: Readonly<Record<string, string>>
  /** The file's name without its folders and compression. */
  readonly fileName: string
  /** The lines above the header. */
  readonly above: readonly string[]
  /**
   * Receives the conversions as columns, each level of which reads those before it: macros repeat their argument, and
   * nested ones would take minutes to plan. Without it, conversions are nested.
   */
  readonly levels?: string[][]
}

/** SQL of a value, which the columns before a level have. */
interface Value {
  readonly sql: string
  readonly level: number
}

const quoted = (value: string) => literal(text(value))

/**
 * SQL of the value of a raw column as text, for one file; undefined if the file, its name and the flags give none. Texts of
 * the rule become literals. Throws Failure `usage` for a time zone that does not exist.
 */
export const ruleSql = (rule: string | ColumnRule, origins: Origins): string | undefined =>
  valueIn(rule, origins)?.sql

function valueIn(rule: string | ColumnRule, origins: Origins): Value | undefined {
  const each: ColumnRule = typeof rule === 'string' ? { from: rule } : rule
  const origin = originSql(each, origins)
  const value = origin === undefined ? undefined : converted(origin, each, origins)
  const other = each.or === undefined ? undefined : valueIn(each.or, origins)
  if (value === undefined || other === undefined) return value ?? other
  return { sql: `coalesce(${value.sql}, ${other.sql})`, level: Math.max(value.level, other.level) }
}

/** The value as a column of its level, for the next conversion to read. */
function asColumn({ sql, level }: Value, { levels }: Origins): Value {
  if (levels === undefined) return { sql, level }
  const name = `conversion${levels.flat().length}`
  const columns = levels[level] ?? []
  levels[level] = [...columns, `${sql} AS ${name}`]
  return { sql: name, level: level + 1 }
}

function originSql(rule: ColumnRule, { column, options, fileName, above }: Origins): string | undefined {
  if (rule.join !== undefined) {
    const parts = rule.join.map(column)
    return parts.includes(undefined) ? undefined : `nullif(concat_ws(' ', ${parts.join(', ')}), '')`
  }
  if (rule.from !== undefined) {
    for (const name of listed(rule.from)) {
      const found = column(name)
      if (found !== undefined) return found
    }
    return
  }
  const known =
    rule.value ??
    (rule.option === undefined ? undefined : options[rule.option]) ??
    (rule.file === undefined ? undefined : groupOf(rule.file, fileName)) ??
    (rule.above === undefined ? undefined : groupOf(rule.above, above.join('\n')))
  return known === undefined || known === '' ? undefined : quoted(known)
}

/** The first group of a pattern in a text, or the whole match of a pattern without groups. */
export function groupOf(pattern: string, found: string): string | undefined {
  const match = new RegExp(pattern, 'm').exec(found)
  return match?.[1] ?? match?.[0]
}

/** The conversions in their order: each is SQL over the text `x`. */
function converted(origin: string, rule: ColumnRule, origins: Origins): Value {
  const { match, words, symbols, number, times, date, time } = rule
  const zone = origins.options.zone ?? rule.zone
  if (zone !== undefined) checkZone(zone)
  const missing = listed(rule.null)
  const conversions: ((x: string) => string)[] = [
    ...(missing.length > 0
      ? [(x: string) => `CASE WHEN ${x} NOT IN (${missing.map(quoted).join(', ')}) THEN ${x} END`]
      : []),
    ...(match === undefined ? [] : [(x: string) => matchSql(x, match)]),
    ...(words === undefined ? [] : [(x: string) => wordsSql(x, words)]),
    ...(symbols === undefined ? [] : [(x: string) => `${symbols}_symbol(${x})`]),
    ...(number === undefined ? [] : [(x: string) => `${number}_number(${x})`]),
    ...(times === undefined ? [] : [(x: string) => timesSql(x, times)]),
    ...(date === undefined ? [] : [(x: string) => firstOf(x, listed(date), form => dateSql(x, form, zone))]),
    ...(time === undefined ? [] : [(x: string) => firstOf(x, listed(time), form => timeSql(x, form, zone))]),
  ]
  return conversions.reduce<Value>(
    (value, conversion) => {
      const { sql, level } = asColumn(value, origins)
      return { sql: conversion(sql), level }
    },
    { sql: origin, level: 0 },
  )
}

function wordsSql(x: string, words: Readonly<Record<string, string>>): string {
  const cases = Object.entries(words).map(([from, to]) => `WHEN ${quoted(from)} THEN ${quoted(to)}`)
  return `CASE ${x} ${cases.join(' ')} ELSE ${x} END`
}

function matchSql(x: string, pattern: string): string {
  const groups = (new RegExp(`${pattern}|`).exec('')?.length ?? 1) - 1
  return `nullif(regexp_extract(${x}, ${quoted(pattern)}, ${Math.min(groups, 1)}), '')`
}

function timesSql(x: string, factor: string): string {
  const [, zeros, decimals] = /^(?:1(0*)|0?\.(0*)1)$/.exec(factor) ?? []
  const places =
    zeros === undefined ? (decimals === undefined ? undefined : -decimals.length - 1) : zeros.length
  return places === undefined
    ? `multiplied_number(${x}, ${factor})`
    : `shifted_number(${x}, ${quoted(String(places))})`
}

/** The first form that fits; the text itself if none does, for the format to reject. */
const firstOf = (x: string, forms: readonly string[], sql: (form: string) => string) =>
  `coalesce(${[...forms.map(sql), x].join(', ')})`

function dateSql(x: string, form: string, zone: string | undefined): string {
  if (form === 'unix') return `strftime(${localTime(`instant_of(${x})`, zone)}, '%Y-%m-%d')`
  if (form === 'excel')
    return `CASE WHEN regexp_full_match(${x}, '\\d{1,6}') THEN strftime(DATE '1899-12-30' + ${x}::INTEGER, '%Y-%m-%d') END`
  if (form === 'iso')
    return `CASE WHEN regexp_matches(${x}, '^\\d{4}-\\d{2}-\\d{2}([ T]|$)') THEN left(${x}, 10) END`
  return `strftime(TRY_STRPTIME(${withMonths(x, form)}, ${quoted(form)}), '%Y-%m-%d')`
}

function timeSql(x: string, form: string, zone: string | undefined): string {
  if (form === 'unix')
    return `CASE WHEN regexp_full_match(${x}, '[\\d.]+') THEN instant_text(instant_of(${x})) END`
  const wallClock =
    form === 'iso'
      ? `wall_clock_of(${x})`
      : `TRY_STRPTIME(${withMonths(x, form)}, ${quoted(form)})::TIMESTAMP`
  if (form === 'iso')
    return zone === undefined
      ? `CASE WHEN wall_clock_of(${x}) IS NULL THEN instant_text(instant_of(${x})) END`
      : `CASE WHEN wall_clock_of(${x}) IS NULL THEN instant_text(instant_of(${x})) ELSE ${zoned(wallClock, zone)} END`
  if (/%[zZ]/.test(form)) return `instant_text(${wallClock})`
  return zone === undefined ? `strftime(${wallClock}, '%Y-%m-%d %H:%M:%S.%f')` : zoned(wallClock, zone)
}

/** The text with months as strptime reads them: many write Sept. */
const withMonths = (x: string, form: string) =>
  form.includes('%b') ? `regexp_replace(${x}, '(?i)\\bsept([^a-z]|$)', 'Sep\\1')` : x

const zoned = (wallClock: string, zone: string) =>
  zone === 'UTC' ? `instant_text(${wallClock})` : `instant_text(zoned_instant(${wallClock}, ${quoted(zone)}))`

const localTime = (instant: string, zone: string | undefined) =>
  zone === undefined || zone === 'UTC'
    ? instant
    : `(${instant} AT TIME ZONE 'UTC' AT TIME ZONE ${quoted(zone)})`

function checkZone(zone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    throw new Failure(
      'usage',
      `unknown time zone ${JSON.stringify(zone)}: use a name of the IANA database, such as America/New_York or UTC`,
    )
  }
}
