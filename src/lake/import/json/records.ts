import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { literal, text } from '../../../engine/bind.ts'
import type { Source } from '../format/format.ts'
import { writeStaged } from '../rows/chunks.ts'
import { BROKEN_MAX } from '../rows/flush.ts'
import { insertRaw } from '../rows/raw.ts'
import type { Reading } from '../rows/reading.ts'
import { addBroken, brokenRecord } from '../rows/rejects.ts'
import { exact } from './exact.ts'
import { readObject } from './objects.ts'
import type { Members } from './places.ts'
import type { JsonRow, RowsTaker } from './taker.ts'

/** Characters of records that are staged at once. */
const STAGED_MAX = 8 << 20
const MEBIBYTE = 1 << 20

/** Whether a record with these members is of a source. */
export const hasMembers = ({ has }: Source, members: Members) => has.every(path => members.has(path))

/** Takes JSON objects as the records of a source. */
export function recordsTaker(reading: Reading, number: number, source: Source): RowsTaker {
  const { writer, folder } = reading
  const path = join(folder, 'records.json')
  const staged: string[] = []
  const broken: string[] = []
  let characters = 0
  let longest = 0
  let records = 0

  /** Runs `insert` for a temporary file of lines. */
  async function withStaged(lines: readonly string[], insert: () => Promise<unknown>) {
    if (lines.length === 0) return
    records += lines.length
    await writeStaged(path, lines.join(''))
    try {
      await insert()
    } finally {
      await rm(path, { force: true })
    }
  }
  async function flush() {
    await withStaged(broken.splice(0), () => addBroken(writer, number, path))
    await withStaged(staged.splice(0), () =>
      insertRaw(
        writer,
        source,
        `SELECT ${number} AS file, (json->>'line')::BIGINT AS line, json->'record' AS record
         FROM read_json_objects(${literal(text(path))}, format = 'newline_delimited', compression = 'uncompressed',
           maximum_object_size = ${MEBIBYTE + longest})`,
      ),
    )
    characters = 0
    longest = 0
  }
  return {
    take(row) {
      const { text: record, number: line } = row
      const reason = faultOf(row)
      if (reason !== undefined) {
        broken.push(brokenRecord(line, reason, record))
        return
      }
      const staging = `{"line":${line},"record":${exact(record)
        .replaceAll(/[\r\n]+/g, ' ')
        .trim()}}\n`
      staged.push(staging)
      characters += staging.length
      longest = Math.max(longest, Buffer.byteLength(staging))
    },
    async flushIfFull() {
      if (characters > STAGED_MAX || broken.length > BROKEN_MAX) await flush()
    },
    async end() {
      await flush()
      return records
    },
  }
}

/** Why a row is not a record. The engine checks values of a document again, and refuses the file if one is not JSON. */
function faultOf({ text, fault, isLine }: JsonRow): string | undefined {
  if (fault !== undefined) return fault
  const values = isLine ? readObject(text) : undefined
  if (typeof values === 'string') return values
  return text.startsWith('{') || isLine ? undefined : 'not a JSON object'
}
