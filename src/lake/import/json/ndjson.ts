import { Failure } from '../../../engine/failure.ts'
import type { RawColumn, Source } from '../format/format.ts'
import { assertUnchanged, type Input } from '../input/inputs.ts'
import { unpackedBytes } from '../input/source.ts'
import { chunkBuffer } from '../rows/chunks.ts'
import { BROKEN_MAX, flushRecords } from '../rows/flush.ts'
import type { Header } from '../rows/header.ts'
import type { Reading } from '../rows/reading.ts'
import { brokenRecord } from '../rows/rejects.ts'
import { noteFile } from '../rows/tables.ts'
import { type Members, readObject, scanLines } from './objects.ts'

const COMMA = 44

const field = (text: string | null | undefined) =>
  text === null || text === undefined ? '' : `"${text.replaceAll('"', '""')}"`

const keyOf = (name: string) => name.trim().toLowerCase()

/** The member that fills a raw column: by the best of its names. */
function valueIn({ accepted }: RawColumn, members: Members): string | null | undefined {
  for (const name of accepted) {
    if (members.has(name)) return members.get(name)
    for (const [member, value] of members) if (keyOf(member) === name) return value
  }
  return undefined
}

/**
 * Reads one file of JSON objects, one a line, into the import's tables, and answers how many records it has. A member
 * that a line lacks is NULL. Throws Failure `input_refused` if the file cannot be read as a whole, if it has no
 * record, or if none of its lines has a member that is needed.
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
  /** What a file calls a column, in lower case, to its column. */
  const known = new Map(columns.flatMap(({ name, accepted }) => accepted.map(each => [each, name])))
  await noteFile(writer, number, input, [], [])
  const chunk = chunkBuffer(folder)
  const broken: string[] = []
  const met = new Set<string>()
  let records = 0

  const scanner = scanLines((text, line, fault) => {
    const members = fault ?? readObject(text)
    if (typeof members === 'string') {
      broken.push(brokenRecord(line, members, text))
      return
    }
    for (const name of members.keys()) met.add(name)
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
    throw new Failure('input_refused', `${input.shown} is empty: fetch it again, or leave it out`)
  const taken = new Set([...met].flatMap(name => known.get(keyOf(name)) ?? []))
  const missing = columns.filter(({ name, required }) => required && !taken.has(name))
  if (met.size > 0 && missing.length > 0)
    throw new Failure(
      'input_refused',
      `${input.shown} lacks ${missing.map(({ name }) => name).join(', ')}: every object must have ${missing.length === 1 ? 'it' : 'them'}`,
    )
  reading.unused(input, [...met].filter(name => !known.has(keyOf(name))).toSorted())
  return records
}
