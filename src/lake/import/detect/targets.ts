import type { ImportFormat, RawColumn, Source } from '../format/format.ts'
import { listFormats } from '../format/formats.ts'
import { columnsOf } from '../layout/layout.ts'
import { layoutsOf } from '../layout/layouts.ts'
import { COLUMN_WORDS } from './column-words.ts'
import type { ValueForm, ValueKind } from './value-forms.ts'

/** A source of a format, with the position in the file of each raw column that it fills. */
export interface Target {
  readonly format: ImportFormat
  readonly source: Source
  readonly found: ReadonlyMap<string, number>
  /** The raw columns that were found by the kind of their values, not by a name. */
  readonly guessed: readonly string[]
  readonly score: number
}

/** Raw columns whose values are of certain kinds. Others may be of any kind. */
const KINDS: readonly { readonly pattern: RegExp; readonly kinds: readonly ValueKind[] }[] = [
  { pattern: /(^|_)(date|day)$|^expiration$|^vintage$/, kinds: ['date', 'time'] },
  { pattern: /^time$|^start$|_at$|_time$/, kinds: ['time', 'clock', 'date'] },
  {
    pattern:
      /^(open|high|low|close|volume|strike|bid|ask|last|rate|interest|spot|iv|delta|gamma|theta|vega|rho)$|_(close|volume|bid|ask|price)$/,
    kinds: ['number'],
  },
  { pattern: /^ms_/, kinds: ['number'] },
  { pattern: /^option_symbol$/, kinds: ['contract'] },
  { pattern: /^pair$/, kinds: ['pair', 'ticker', 'text'] },
  { pattern: /^(ticker|root)$/, kinds: ['ticker', 'pair', 'text'] },
  { pattern: /^(option_type|representative)$/, kinds: ['text', 'ticker'] },
]

/** Raw columns of one row per ticker and day: rows of several times of a day are not theirs. */
const ONE_A_DAY = new Set(['daily-bars'])

/** The sources of formats that a file may fill, the best first: of all formats, or of the one with a name. */
export function targetsOf(
  names: readonly string[],
  forms: readonly ValueForm[],
  only: string | undefined,
): readonly Target[] {
  return listFormats()
    .filter(({ name }) => only === undefined || name === only)
    .flatMap(format =>
      format.sources
        .filter(({ columns, hasHeader }) => columns.length > 0 && hasHeader)
        .map(source => targetOf(format, source, names, forms)),
    )
    .toSorted((one, other) => other.score - one.score)
}

/** The kinds that the values of a raw column may have; undefined if any. */
const kindsOf = (name: string) => KINDS.find(({ pattern }) => pattern.test(name))?.kinds

/** Required raw columns that others can stand for. */
const ALTERNATIVES: Readonly<Record<string, readonly string[]>> = {
  option_symbol: ['expiration', 'strike'],
}

/** Whether raw columns that were found stand for one that was not. */
export const hasAlternatives = (name: string, found: ReadonlyMap<string, number>) =>
  ALTERNATIVES[name]?.every(each => found.has(each)) === true

const INTRADAY = -4
const WHOLE_DAYS = 2

function targetOf(
  format: ImportFormat,
  source: Source,
  names: readonly string[],
  forms: readonly ValueForm[],
): Target {
  const keys = names.map(plain)
  const found = new Map<string, number>()
  const taken = new Set<number>()
  const fits = (column: string, place: number) => {
    const kind = forms[place]?.kind ?? 'nothing'
    return kind === 'nothing' || kindsOf(column)?.includes(kind) !== false
  }
  const take = (column: string, place: number) => {
    found.set(column, place)
    taken.add(place)
  }
  const columns = source.columns.toSorted((a, b) => Number(b.required) - Number(a.required))
  for (const column of columns)
    for (const word of wordsOf(format, column)) {
      const place = keys.findIndex((key, at) => key === word && !taken.has(at) && fits(column.name, at))
      if (place === -1) continue
      take(column.name, place)
      break
    }
  const takenKeys = new Set([...taken].map(place => keys[place] ?? ''))
  const guessed = columns.flatMap(({ name, required }) => {
    const kinds = kindsOf(name)
    if (!required || found.has(name) || kinds === undefined || kinds.includes('number')) return []
    for (const kind of kinds.filter(each => each !== 'text')) {
      const [only, ...others] = names.flatMap((_, place) =>
        !taken.has(place) && !takenKeys.has(keys[place] ?? '') && forms[place]?.kind === kind ? [place] : [],
      )
      if (only === undefined || others.length > 0) continue
      take(name, only)
      return [name]
    }
    return []
  })
  const missing = columns.filter(
    ({ name, required }) => required && !found.has(name) && !hasAlternatives(name, found),
  ).length
  const isIntraday = forms.some(({ kind }) => kind === 'time' || kind === 'clock')
  const fitness = ONE_A_DAY.has(format.name) ? (isIntraday ? INTRADAY : WHOLE_DAYS) : 0
  const score = found.size - missing + fitness
  return { format, source, found, guessed, score }
}

/** A name without accents, case, blanks and punctuation. */
export const plain = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** The names of a raw column in all files that are known, those of its format first. */
function wordsOf(format: ImportFormat, column: RawColumn): readonly string[] {
  const ofLayouts = layoutsOf(format.name).flatMap(({ columns }) => {
    const rule = columns[column.name]
    // Paths in a document are no names of columns.
    return rule === undefined ? [] : columnsOf(rule).filter(name => !/^[$*]/.test(name))
  })
  const words = [column.name, ...column.accepted, ...ofLayouts, ...(COLUMN_WORDS[column.name] ?? [])]
  return [...new Set(words.map(plain))].filter(word => word !== '')
}
