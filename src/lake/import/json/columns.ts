import { Failure } from '../../../engine/failure.ts'
import type { RawColumn, Source } from '../format/format.ts'
import { lackingOf } from '../format/lacking.ts'
import type { Input } from '../input/inputs.ts'
import { lookAtColumns } from '../input/next-step.ts'
import { chunkBuffer } from '../rows/chunks.ts'
import { BROKEN_MAX, flushRecords } from '../rows/flush.ts'
import type { Header } from '../rows/header.ts'
import type { Reading } from '../rows/reading.ts'
import { brokenRecord } from '../rows/rejects.ts'
import { readObject, type Values } from './objects.ts'
import type { Members } from './places.ts'
import type { RowsTaker } from './taker.ts'

const COMMA = 44

const field = (text: string | null | undefined) =>
  text === null || text === undefined ? '' : `"${text.replaceAll('"', '""')}"`

const keyOf = (name: string) => name.trim().toLowerCase()

/** The value of a raw column: the member with the most preferred of its names. */
function valueIn({ accepted }: RawColumn, values: Values): string | null | undefined {
  for (const name of accepted) {
    if (values.has(name)) return values.get(name)
    for (const [member, value] of values) if (keyOf(member) === name) return value
  }
  return undefined
}

/** Whether an object with these members has all required columns of a source. */
export function hasColumns(source: Source, members: Members): boolean {
  const keys = new Set([...members].map(keyOf))
  const found = new Set(
    source.columns.flatMap(({ name, accepted }) => (accepted.some(each => keys.has(each)) ? [name] : [])),
  )
  return lackingOf(source, name => found.has(name)).length === 0
}

/**
 * Takes JSON objects into the raw columns of a source. A missing member is NULL. `end` throws Failure `input_refused` if
 * no object has a required member.
 */
export function columnsTaker(reading: Reading, number: number, input: Input, source: Source): RowsTaker {
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
  const chunk = chunkBuffer(reading.folder)
  const broken: string[] = []
  const seen = new Set<string>()
  let records = 0

  const flush = async () => {
    records += await flushRecords(reading, source, number, header, broken, chunk)
  }
  return {
    take({ text, number: line, fault }) {
      const values = fault ?? readObject(text)
      if (typeof values === 'string') {
        broken.push(brokenRecord(line, values, text))
        return
      }
      for (const name of values.keys()) seen.add(name)
      const record = Buffer.from(columns.map(column => field(valueIn(column, values))).join(','))
      chunk.add(record, 0, record.length, line, COMMA)
    },
    async flushIfFull() {
      if (chunk.isFull() || broken.length > BROKEN_MAX) await flush()
    },
    async end() {
      await flush()
      const taken = new Set([...seen].flatMap(name => known.get(keyOf(name)) ?? []))
      const missing = lackingOf(source, name => taken.has(name))
      if (seen.size > 0 && missing.length > 0)
        throw new Failure(
          'input_refused',
          `${input.shown} lacks ${missing.map(({ name }) => name).join(', ')}: every object must have ${missing.length === 1 ? 'it' : 'them'}: ${lookAtColumns(input, reading.format)}`,
        )
      reading.unused(input, [...seen].filter(name => !known.has(keyOf(name))).toSorted())
      return records
    },
  }
}
