import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { literal, text } from '../../engine/bind.ts'
import { Failure, firstLine } from '../../engine/failure.ts'
import type { Source } from './format/format.ts'
import { assertUnchanged, type Input, OTHER_FORMAT, oneLine } from './input/inputs.ts'
import { textIn } from './input/source.ts'
import { readObject, scanLines } from './json/objects.ts'
import { writeStaged } from './rows/chunks.ts'
import { insertRaw } from './rows/raw.ts'
import type { Reading } from './rows/reading.ts'
import { addBroken, brokenRecord } from './rows/rejects.ts'
import { recordFile } from './rows/tables.ts'
import { readFilings } from './xml/edgar.ts'

const MEBIBYTE = 1 << 20

/**
 * Reads a file of JSON or XML into the records of its source: the elements of an array, an object, JSON lines, or XML
 * documents. Returns their number. Throws Failure `input_refused` if the file cannot be read to its end, is larger than
 * 256 MiB, matches no source, or has no records.
 */
export async function readRecords(
  reading: Reading,
  number: number,
  input: Input,
  sources: readonly Source[],
): Promise<number> {
  const { writer, folder } = reading
  await recordFile(writer, number, input, [], [])
  const content = await textIn(reading, input)
  await assertUnchanged(input)
  const path = join(folder, 'records.json')
  const broken: string[] = []
  try {
    const records = await stage(input, content, sources, path, broken)
    const table = `read_json_objects(${literal(text(path))}, format = '${records.shape}',
      maximum_object_size = ${MEBIBYTE + records.bytes}, compression = 'uncompressed')`
    const rows =
      records.shape === 'newline_delimited'
        ? `SELECT (json->>'line')::BIGINT AS line, json->'record' AS record FROM ${table}`
        : `SELECT row_number() OVER () AS line, json AS record FROM ${table}`
    await writer.run(`CREATE OR REPLACE TEMP TABLE import_records AS ${rows}`).catch(thrown => {
      reading.canceling.check()
      throw thrown instanceof Failure ? thrown : notRead(input, firstLine(thrown).replaceAll(path, 'it'))
    })
    const source = await sourceAmong(reading, input, sources)
    const taken = await insertRaw(
      writer,
      source,
      `SELECT ${number} AS file, line, record FROM import_records ORDER BY line`,
    )
    if (broken.length > 0) {
      await writeStaged(path, broken.join(''))
      await addBroken(writer, number, path)
    }
    if (taken + broken.length === 0) throw notRead(input, 'it has no records')
    return taken + broken.length
  } finally {
    await writer.run('DROP TABLE IF EXISTS import_records')
    await rm(path, { force: true })
  }
}

const notRead = (input: Input, reason: string) =>
  new Failure(
    'input_refused',
    `${input.shown} cannot be read: ${oneLine(reason)}: download it again, or exclude it`,
  )

/** The shape of the records in the file that DuckDB reads, and its size in bytes. */
interface Staged {
  readonly shape: 'array' | 'unstructured' | 'newline_delimited'
  readonly bytes: number
}

async function stage(
  input: Input,
  content: string,
  sources: readonly Source[],
  path: string,
  broken: string[],
): Promise<Staged> {
  const { shape, written } = shaped(input, content, sources, broken)
  await writeStaged(path, written)
  return { shape, bytes: Buffer.byteLength(written) }
}

function shaped(
  input: Input,
  content: string,
  sources: readonly Source[],
  broken: string[],
): { shape: Staged['shape']; written: string } {
  const start = content.trimStart()
  if (start.startsWith('[')) return { shape: 'array', written: wholeJson(input, content) }
  if (start.startsWith('{')) {
    const lines = jsonLines(content, broken)
    return lines === null
      ? { shape: 'unstructured', written: wholeJson(input, content) }
      : { shape: 'newline_delimited', written: lines }
  }
  const repeated = new Set(sources.flatMap(source => [...source.repeated]))
  return {
    shape: 'newline_delimited',
    written: filingsIn(input, content, repeated).map(withLine).join(''),
  }
}

/** The text, if it is complete JSON: DuckDB would accept a truncated array. */
function wholeJson(input: Input, content: string): string {
  try {
    JSON.parse(content)
    return content
  } catch (thrown) {
    throw notRead(input, `it is not complete JSON (${firstLine(thrown)})`)
  }
}

const withLine = (record: unknown, index: number) => `${JSON.stringify({ line: index + 1, record })}\n`

function filingsIn(input: Input, content: string, repeated: ReadonlySet<string>): unknown[] {
  try {
    return readFilings(content, repeated)
  } catch (thrown) {
    throw notRead(input, firstLine(thrown))
  }
}

/**
 * JSON lines with their line numbers; lines that are not objects are added to `broken`. Null if the text is one object.
 */
function jsonLines(content: string, broken: string[]): string | null {
  const first = content.trimStart().split('\n', 1)[0] ?? ''
  if (typeof readObject(first.trim()) === 'string') return null
  const lines: string[] = []
  const scanner = scanLines((line, number, fault) => {
    const members = fault ?? readObject(line)
    if (typeof members === 'string') broken.push(brokenRecord(number, members, line))
    else lines.push(`{"line":${number},"record":${line.trim()}}\n`)
  })
  scanner.push(Buffer.from(content))
  scanner.end()
  return lines.join('')
}

/** The first source whose required members the first record has. */
async function sourceAmong({ writer }: Reading, input: Input, sources: readonly Source[]): Promise<Source> {
  const [first] = await writer.rows(
    'SELECT record::VARCHAR AS record FROM import_records ORDER BY line LIMIT 1',
  )
  const found = first === undefined ? undefined : await firstFitting(writer, sources)
  if (found !== undefined) return found
  if (first === undefined) throw notRead(input, 'it has no records')
  const needed = sources.map(({ has }) => has.join(', ')).join('; or ')
  throw new Failure(
    'input_refused',
    `${input.shown} is not a file of this format: its first record lacks ${needed}`,
    { cause: OTHER_FORMAT },
  )
}

async function firstFitting(writer: Reading['writer'], sources: readonly Source[]) {
  for (const source of sources) {
    const conditions = source.has.map(path => `json_exists(record, ${literal(text(`$.${path}`))})`)
    const [row] = await writer.rows(
      `SELECT ${['true', ...conditions].join(' AND ')} AS fits FROM import_records ORDER BY line LIMIT 1`,
    )
    if (row?.fits === true) return source
  }
  return undefined
}
