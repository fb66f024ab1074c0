import { Failure } from '../../../engine/failure.ts'
import type { RawColumn, Source } from '../format/format.ts'
import { assertUnchanged, type Input } from '../input/inputs.ts'
import { unpackedBytes } from '../input/source.ts'
import { chunkBuffer } from '../rows/chunks.ts'
import { BROKEN_MAX, flushRecords } from '../rows/flush.ts'
import type { Header } from '../rows/header.ts'
import type { Reading } from '../rows/reading.ts'
import { brokenRecord } from '../rows/rejects.ts'
import { recordFile } from '../rows/tables.ts'
import { type Members, readObject, scanLines } from './objects.ts'

const COMMA = 44

const field = (text: string | null | undefined) =>
  text === null || text === undefined ? '' : `"${text.replaceAll('"', '""')}"`

const keyOf = (name: string) => name.trim().toLowerCase()

/** The value of a raw column: the member with the most preferred of its names. */
function valueIn({ accepted }: RawColumn, members: Members): string | null | undefined {
  for (const name of accepted) {
    if (members.has(name)) return members.get(name)
    for (const [member, value] of members) if (keyOf(member) === name) return value
  }
  return undefined
}

/**
 * Reads one file of JSON objects, one per line, into the import's tables. Returns its number of records. A missing
 * member is NULL. Throws Failure `input_refused` if the file cannot be read to its end, has no records, or if no line
 * has a required member.
 */
export async function readObjects(
  reading: Reading,
  number: number,
  input: Input,
  source: Source,
): Promise<number> {
  const { writer, folder, canceling } = reading
  const { columns } = source
  const header: Header = {
    delimiter: ',',
    width: columns.length,
    positions: new Map(columns.map(({ name }, position) => [name, position])),
    unused: [],
    names: [],
  }
  /** The raw column by accepted member name, in lower case. */
  const known = new Map(columns.flatMap(({ name, accepted }) => accepted.map(each => [each, name])))
  await recordFile(writer, number, input, [], [])
  const chunk = chunkBuffer(folder)
  const broken: string[] = []
  const seen = new Set<string>()
  let records = 0

  const scanner = scanLines((text, line, fault) => {
    const members = fault ?? readObject(text)
    if (typeof members === 'string') {
      broken.push(brokenRecord(line, members, text))
      return
    }
    for (const name of members.keys()) seen.add(name)
    const record = Buffer.from(columns.map(column => field(valueIn(column, members))).join(','))
    chunk.add(record, 0, record.length, line, COMMA)
  })
  const flush = async () => {
    records += await flushRecords(reading, source, number, header, broken, chunk)
  }

  for await (const bytes of unpackedBytes(input, writer, folder, reading.advance)) {
    canceling.check()
    scanner.push(bytes)
    if (chunk.isFull() || broken.length > BROKEN_MAX) await flush()
  }
  scanner.end()
  await assertUnchanged(input)
  await flush()
  if (records === 0)
    throw new Failure('input_refused', `${input.shown} is empty: download it again, or exclude it`)
  const taken = new Set([...seen].flatMap(name => known.get(keyOf(name)) ?? []))
  const missing = columns.filter(({ name, required }) => required && !taken.has(name))
  if (seen.size > 0 && missing.length > 0)
    throw new Failure(
      'input_refused',
      `${input.shown} lacks ${missing.map(({ name }) => name).join(', ')}: every object must have ${missing.length === 1 ? 'it' : 'them'}`,
    )
  reading.unused(input, [...seen].filter(name => !known.has(keyOf(name))).toSorted())
  return records
}
