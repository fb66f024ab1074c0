import { Failure } from '../engine/failure.ts'
import { chunkBuffer } from './import-chunks.ts'
import { BROKEN_MAX, flushRecords } from './import-flush.ts'
import { assertUnchanged, type Input } from './import-inputs.ts'
import { readObject, scanLines } from './import-objects.ts'
import type { Reading } from './import-reading.ts'
import { brokenRecord } from './import-rejects.ts'
import { unpackedBytes } from './import-source.ts'

const COMMA = 44

const field = (text: string | null | undefined) =>
  text === null || text === undefined ? '' : `"${text.replaceAll('"', '""')}"`

/**
 * Reads one file of JSON objects, one a line, into the import's tables, and answers how many records it has. A member
 * that a line lacks is NULL. Throws Failure `input_refused` if the file cannot be read as a whole, if it has no
 * record, or if none of its lines has a member that is needed.
 */
export async function readObjects(reading: Reading, number: number, input: Input): Promise<number> {
  const { writer, format, folder, canceling } = reading
  const names = format.columns.map(({ name }) => name)
  const header = {
    delimiter: ',' as const,
    width: names.length,
    positions: new Map(names.map((name, position) => [name, position])),
    unused: [],
  }
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
    const record = Buffer.from(names.map(name => field(members.get(name))).join(','))
    chunk.add(record, 0, record.length, line, COMMA)
  })
  const flush = async () => {
    records += await flushRecords(reading, number, header, broken, chunk)
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
  const missing = format.columns.filter(({ name, required }) => required && !met.has(name))
  if (met.size > 0 && missing.length > 0)
    throw new Failure(
      'input_refused',
      `${input.shown} lacks ${missing.map(({ name }) => name).join(', ')}: every object must have ${missing.length === 1 ? 'it' : 'them'}`,
    )
  reading.unused(input, [...met].filter(name => !names.includes(name)).toSorted())
  return records
}
