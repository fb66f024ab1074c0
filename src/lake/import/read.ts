import { Failure } from '../../engine/failure.ts'
import { readCsv } from './csv/csv.ts'
import { layoutsByFirstRow } from './csv/layout-headers.ts'
import { readXmlFile } from './documents.ts'
import type { ImportFormat, Kind } from './format/format.ts'
import { type Input, noLayout, OTHER_FORMAT, oneLine } from './input/inputs.ts'
import { unpackedBytes } from './input/source.ts'
import { readJson } from './json/json.ts'
import { readLayoutJson } from './json/layout-json.ts'
import type { Layout } from './layout/layout.ts'
import { readColumns, readParquet } from './parquet/parquet.ts'
import type { Reading } from './rows/reading.ts'
import { isWorkbookFile, readWorkbook } from './workbooks.ts'

/**
 * Reads one file into the import's tables. Returns its number of records, or null if it is skipped. Throws Failure
 * `input_refused` if the file cannot be read to its end, is not a file of the format, or has no records.
 */
export async function readInput(reading: Reading, number: number, input: Input): Promise<number | null> {
  return (await isWorkbookFile(input))
    ? readWorkbook(reading, number, input, sheet => readFile(reading, number, sheet))
    : readFile(reading, number, input)
}

async function readFile(reading: Reading, number: number, input: Input): Promise<number | null> {
  const { sources, canonical } = reading.format
  if (canonical === null || reading.isLayoutGiven) return readOrSkip(reading, number, input)
  const [source] = sources
  if (source?.kinds.includes('parquet')) return readParquet(reading, number, input, canonical)
  if (source?.kinds.includes('ndjson')) return readJson(reading, number, input, sources)
  return readCsv(reading, number, input, sources)
}

/**
 * Skips files in a folder that are not files of the format, with a notice: bulk data includes read-mes and lists of
 * columns. A file that the user named is rejected instead.
 */
async function readOrSkip(reading: Reading, number: number, input: Input): Promise<number | null> {
  try {
    return await readForeign(reading, number, input)
  } catch (thrown) {
    const isOther = thrown instanceof Failure && thrown.cause === OTHER_FORMAT
    if (!isOther || input.isNamed || reading.format.sources.length === 1) throw thrown
    reading.notice(`skipped: ${thrown.message}`)
    return null
  }
}

/** Reads a file by its content, which is recognised by its first bytes, whatever its name. */
async function readForeign(reading: Reading, number: number, input: Input): Promise<number> {
  const { format, layouts, isLayoutGiven } = reading
  const start = await beginning(reading, input)
  const sniffed = sniff(start)
  const kinds = sniffed?.kinds ?? ['csv']
  const fitting = format.sources.filter(
    source => !isLayoutGiven && source.kinds.some(kind => kinds.includes(kind)),
  )
  const hasLayouts = layouts.some(({ file }) => kinds.includes(KIND_OF_FILE[file.kind]))
  const [first] = fitting
  if (first === undefined && !hasLayouts)
    throw new Failure(
      'input_refused',
      `${input.shown} is ${sniffed?.name ?? 'CSV or other text'}, but ${format.name} reads ${kindsRead(format, layouts).join(', ')}${kinds.includes('parquet') ? '' : `; it starts with ${JSON.stringify(oneLine(start.trim().slice(0, 40)))}`}: import it without a format, which recognises it, or describe it with --map-from`,
      { cause: OTHER_FORMAT },
    )
  if (sniffed === undefined)
    return readCsv({ ...reading, layouts: layoutsByFirstRow(layouts, start) }, number, input, fitting)
  if (kinds.includes('parquet')) return readColumns(reading, number, input, first)
  const taken = hasLayouts ? await readLayoutJson(reading, number, input) : null
  if (taken !== null) return taken
  if (first === undefined) throw noLayout(input, format)
  return kinds.includes('xml')
    ? readXmlFile(reading, number, input, fitting)
    : readJson(reading, number, input, fitting)
}

/** The kinds of files that the sources and layouts of an import read. */
export const kindsRead = (format: ImportFormat, layouts: readonly Layout[]): Kind[] => [
  ...new Set([
    ...format.sources.flatMap(({ kinds }) => kinds),
    ...layouts.map(({ file }) => KIND_OF_FILE[file.kind]),
  ]),
]

/** The kind of content of each kind of file of layouts. */
export const KIND_OF_FILE: Readonly<Record<Layout['file']['kind'], Kind>> = {
  csv: 'csv',
  xlsx: 'csv',
  json: 'json',
  parquet: 'parquet',
  xml: 'xml',
}

/** Kinds of files recognised by their first characters. Any other file is CSV. */
const SNIFFED: readonly {
  readonly name: string
  readonly begins: RegExp
  readonly kinds: readonly Kind[]
}[] = [
  { name: 'Parquet', begins: /^PAR1/, kinds: ['parquet'] },
  // A header may have names in brackets, as in `[QUOTE_DATE], [STRIKE]`.
  {
    name: 'JSON',
    begins: /^\ufeff?\s*(?:\{|\[(?!(?!(?:true|false|null)\])[A-Za-z]\w*\]))/,
    kinds: ['json', 'ndjson'],
  },
  { name: 'XML', begins: /^\ufeff?\s*<(?!\w+>[,;\t])|^-----BEGIN PRIVACY/, kinds: ['xml'] },
]

/** The kind of a file by its first characters; undefined for CSV and other text. */
export const sniff = (start: string) => SNIFFED.find(({ begins }) => begins.test(start))

const BEGINNING_BYTES = 16_384

/** The first characters of a file. */
export async function beginning({ writer, folder }: Reading, input: Input): Promise<string> {
  for await (const bytes of unpackedBytes(input, writer, folder, () => {}))
    return bytes.toString('utf8', 0, BEGINNING_BYTES)
  return ''
}
