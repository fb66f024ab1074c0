import { Failure } from '../../engine/failure.ts'
import { readLines } from './csv/lines.ts'
import { readTyped } from './csv/typed.ts'
import { readRecords } from './documents.ts'
import type { Kind } from './format/format.ts'
import { assertUnchanged, type Input, NOT_TAKEN, oneLine } from './input/inputs.ts'
import { unpackedBytes } from './input/source.ts'
import { readObjects } from './json/ndjson.ts'
import { readColumns, readParquet } from './parquet/parquet.ts'
import type { Reading } from './rows/reading.ts'

/**
 * Reads one file into the import's tables, and answers how many records it has, null if it is left out. Throws Failure `input_refused` if the
 * file cannot be read as a whole, if it is none of those that the format takes, or if it has no records.
 */
export async function readInput(reading: Reading, number: number, input: Input): Promise<number | null> {
  const { format, advance } = reading
  const { sources, canonical } = format
  if (canonical === null) return readOwnOrLeave(reading, number, input)
  const [source] = sources
  if (source?.kinds.includes('parquet')) return readParquet(reading, number, input, canonical)
  if (source?.kinds.includes('ndjson')) return readObjects(reading, number, input, source)
  let advanced = 0
  const noted = (bytes: number) => {
    advanced += bytes
    advance(bytes)
  }
  const typed = await readTyped({ ...reading, advance: noted }, input, canonical)
  if (typed !== null) {
    await assertUnchanged(input)
    if (advanced < input.bytes) advance(input.bytes - advanced)
    reading.unused(input, typed.header.unused)
    return typed.records
  }
  advance(-advanced)
  return readLines(reading, number, input, sources)
}

/**
 * Of a folder with several kinds of files, those that the format does not take are left out, and it says so: bulk data
 * comes with read-mes and lists of columns. A file that a person names is refused.
 */
async function readOwnOrLeave(reading: Reading, number: number, input: Input): Promise<number | null> {
  try {
    return await readForeign(reading, number, input)
  } catch (thrown) {
    const isLeft = thrown instanceof Failure && thrown.cause === NOT_TAKEN
    if (!isLeft || input.isNamed || reading.format.sources.length === 1) throw thrown
    reading.left(thrown.message)
    return null
  }
}

/** Reads a file by what it begins with, whatever it is called. */
async function readForeign(reading: Reading, number: number, input: Input): Promise<number> {
  const { sources } = reading.format
  const start = await beginning(reading, input)
  const sourcesOf = (...kinds: Kind[]) =>
    sources.filter(source => source.kinds.some(kind => kinds.includes(kind)))
  const sniffed = SNIFFED.find(({ begins }) => begins.test(start))
  const fitting = sourcesOf(...(sniffed?.kinds ?? ['csv']))
  const [first] = fitting
  if (first === undefined)
    throw new Failure(
      'input_refused',
      `${input.shown} is ${sniffed?.name ?? 'CSV or other text'}, and ${reading.format.name} takes ${[...new Set(sources.flatMap(({ kinds }) => kinds))].join(', ')}: it begins ${JSON.stringify(oneLine(start.trim().slice(0, 40)))}`,
      { cause: NOT_TAKEN },
    )
  if (sniffed === undefined) return readLines(reading, number, input, fitting)
  if (sniffed.kinds.includes('parquet')) return readColumns(reading, number, input, first)
  const inRecords = fitting.filter(({ columns }) => columns.length === 0)
  return inRecords.length === 0
    ? readObjects(reading, number, input, first)
    : readRecords(reading, number, input, inRecords)
}

/** What the first characters of a file say of it; all else is text in columns. */
const SNIFFED: readonly {
  readonly name: string
  readonly begins: RegExp
  readonly kinds: readonly Kind[]
}[] = [
  { name: 'Parquet', begins: /^PAR1/, kinds: ['parquet'] },
  { name: 'a zip archive: unpack it first; it', begins: /^PK\u0003\u0004/, kinds: [] },
  { name: 'JSON', begins: /^\ufeff?\s*[[{]/, kinds: ['json', 'ndjson'] },
  { name: 'XML', begins: /^\ufeff?\s*<|^-----BEGIN PRIVACY/, kinds: ['xml'] },
]

const BEGINNING_BYTES = 4096

async function beginning({ writer, folder }: Reading, input: Input): Promise<string> {
  for await (const bytes of unpackedBytes(input, writer, folder, () => {}))
    return bytes.toString('utf8', 0, BEGINNING_BYTES)
  return ''
}
