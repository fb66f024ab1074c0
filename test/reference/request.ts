import { compare, type Decimal, decimal, isDecimal } from './decimal.ts'
import type { Value } from './parquet.ts'

/** A valid request. A parameter that is written `name[]` has its values under `name[]`. */
export interface Request {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  /** Whose alerts the request may read besides those of everybody. Default: nobody's. */
  readonly caller?: { readonly owner: string | null; readonly admin: boolean }
}

/** The value of a parameter; null if it is missing or empty. */
export function parameter({ path, query }: Request, name: string): string | null {
  const value = path[name] ?? query[name] ?? ''
  if (Array.isArray(value)) throw new Error(`${name} is a list`)
  return value === '' ? null : value
}

/**
 * The values of an array; null if there is none. Each one can be several that commas join, or one that has a comma: the
 * text itself counts too, and is no value where it is none.
 */
export function parameters({ query }: Request, name: string): readonly string[] | null {
  const joined = [query[name] ?? []].flat().map(text => [text, ...text.split(',')].map(value => value.trim()))
  const values = joined.flat().filter(value => !/^[\s,]*$/.test(value))
  return values.length === 0 ? null : values
}

export function flagOf(request: Request, name: string): boolean | null {
  const value = parameter(request, name)?.toLowerCase()
  return value === undefined ? null : value === 'true' || value === '1'
}

export function numberIn(request: Request, name: string): Decimal | null {
  const value = parameter(request, name)
  return value === null ? null : decimal(value)
}

/** The rows of a page: offset is page × limit. `firstPage` is the number of the first one. */
export function paged<T>(request: Request, rows: readonly T[], limit: number, firstPage = 0): T[] {
  const size = Number(parameter(request, 'limit') ?? limit)
  const offset = (Number(parameter(request, 'page') ?? firstPage) - firstPage) * size
  return rows.slice(offset, offset + size)
}

/** Whether a value, as it is shown, is within `min_<stem>` and `max_<stem>`. A null is not if there is a bound. */
export function isWithin(request: Request, stem: string, value: Value | undefined): boolean {
  const [least, most] = [numberIn(request, `min_${stem}`), numberIn(request, `max_${stem}`)]
  if (least === null && most === null) return true
  if (value === null || value === undefined) return false
  const shown = isDecimal(value) ? value : decimal(value as number)
  return (least === null || compare(shown, least) >= 0) && (most === null || compare(shown, most) <= 0)
}

/** A class of shares has a dot: BRK.B of BRK-B. */
export const withDot = <T extends string | null>(ticker: T) =>
  (ticker?.replace(/^([A-Z]{1,5})-([A-Z])$/, '$1.$2') ?? null) as T

/** Whether a ticker passes `ticker_symbol`: a comma-separated list, which a leading `-` makes one to exclude. */
export function tickerTest(request: Request, name: string): (ticker: Value | undefined) => boolean {
  const list = parameter(request, name)
  if (list === null) return () => true
  const isExcluding = list.trim().startsWith('-')
  const tickers = new Set(list.split(',').map(item => withDot(item.trim().replace(/^-/, '').toUpperCase())))
  return ticker => tickers.has(String(ticker)) !== isExcluding
}

/** Whether a value is one of an array's, in any case; each is if there is no array. */
export function amongTest(request: Request, name: string): (value: Value | undefined) => boolean {
  const wanted = parameters(request, name)?.map(value => value.toLowerCase())
  return wanted === undefined ? () => true : value => wanted.includes(String(value).toLowerCase())
}

/** The answer to a request that is refused: its status. */
export const refused = (status: 404 | 422) => ({ refused: status })
