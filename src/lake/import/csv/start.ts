import { Failure } from '../../../engine/failure.ts'
import type { Source } from '../format/format.ts'
import { type Input, OTHER_FORMAT, oneLine } from '../input/inputs.ts'
import { lookAtColumns } from '../input/next-step.ts'
import type { RecordSink } from '../input/records.ts'
import { delimiterOf, type Header, type Match, matchHeader, readHeader } from '../rows/header.ts'
import type { Reading } from '../rows/reading.ts'
import { layoutHeaders } from './layout-headers.ts'

/** The number of lines that are searched for a header. */
const PREAMBLE_LINES_MAX = 50
const LINE_SHOWN = 60

/** The header of a file's records, and their source. */
export interface Start {
  readonly source: Source
  readonly header: Header
  /** The lines before the header. */
  readonly preamble: readonly string[]
}

/** The search for the header of a file, line by line. */
export interface StartSearch {
  /** Looks at the next line that is not blank. Throws Failure `input_refused` if it cannot be CSV, or has no header. */
  readonly look: RecordSink['header']
  found(): Start | undefined
  /** Throws the Failure for a file in which no header was found. */
  refuse(): never
}

export function startSearch(reading: Reading, input: Input, sources: readonly Source[]): StartSearch {
  const { find: layoutHeader, isGiven: isLayoutGiven, refusal } = layoutHeaders(reading, input)
  const nextStep = lookAtColumns(input, reading.format)
  const preamble: string[] = []
  let start: Start | undefined

  function begin(source: Source, header: Header, isRecord: boolean) {
    start = { source, header, preamble }
    return { delimiter: header.delimiter.charCodeAt(0), isRecord }
  }
  function refuse(): never {
    const [first] = preamble
    if (first === undefined)
      throw new Failure('input_refused', `${input.shown} is empty: download it again, or exclude it`)
    if (isLayoutGiven)
      throw new Failure('input_refused', `${input.shown} ${refusal(preamble)}`, { cause: OTHER_FORMAT })
    const nearest = nearestHeader(preamble, sources)
    if (nearest && sources.length === 1) readHeader(input.shown, nearest.line, nearest.source, nextStep)
    const lacking = nearest?.match.missing.map(({ name }) => name).join(', ')
    const hint = nearest ? `; it is most like ${nearest.source.name}, but lacks ${lacking}` : ''
    throw new Failure(
      'input_refused',
      `${input.shown} is not a file of this format: it starts with ${JSON.stringify(oneLine(first.slice(0, LINE_SHOWN)))}${hint}: ${nextStep}`,
      { cause: OTHER_FORMAT },
    )
  }
  function look(bytes: Buffer, fault: string | undefined) {
    if (fault !== undefined && preamble.length === 0 && !sources.some(({ isWindows1252 }) => isWindows1252))
      throw new Failure(
        'input_refused',
        `${input.shown} is not CSV text: its first line is ${fault}; save it as UTF-8 with one row per line, or specify --encoding, e.g. --encoding windows-1252`,
      )
    const line = bytes.toString('utf8')
    const found = layoutHeader(line, preamble)
    if (found !== undefined) return begin(found.source, found.header, found.isRecord)
    for (const source of isLayoutGiven ? [] : sources) {
      const match = source.hasHeader ? matchHeader(line, source) : impliedHeader(line, source, preamble)
      if (match === undefined || match.missing.length > 0) continue
      if (match.repeated !== undefined) readHeader(input.shown, line, source, nextStep)
      return begin(source, match, !source.hasHeader)
    }
    preamble.push(line)
    if (preamble.length >= PREAMBLE_LINES_MAX) refuse()
    return null
  }
  return { look, found: () => start, refuse }
}

/** The implied header of a file without one, if its first line matches the source. */
export function impliedHeader(
  line: string,
  { begins, columns }: Source,
  before: readonly string[],
): Match | undefined {
  if (before.length > 0 || begins?.test(line) === false) return undefined
  const delimiter = delimiterOf(line)
  const positions = new Map(columns.map(({ name }, place) => [name, place]))
  return { delimiter, width: columns.length, positions, unused: [], names: [], missing: [] }
}

/** The line that lacks the fewest columns of any source, for the message. */
function nearestHeader(lines: readonly string[], sources: readonly Source[]) {
  const matches = sources
    .filter(({ hasHeader }) => hasHeader)
    .flatMap(source => lines.map(line => ({ line, source, match: matchHeader(line, source) })))
  const [nearest] = matches.toSorted((a, b) => a.match.missing.length - b.match.missing.length)
  return nearest
}
