import { Failure, firstLine } from '../../../engine/failure.ts'
import type { Source } from '../format/format.ts'
import { assertUnchanged, type Input, OTHER_FORMAT, oneLine } from '../input/inputs.ts'
import { RECORD_BYTES_MAX } from '../input/records.ts'
import { unpackedBytes } from '../input/source.ts'
import type { Reading } from '../rows/reading.ts'
import { recordFile } from '../rows/tables.ts'
import { columnsTaker, hasColumns } from './columns.ts'
import { readObject } from './objects.ts'
import { type Members, membersOf } from './places.ts'
import { hasMembers, recordsTaker } from './records.ts'
import { type RowsRequest, readRows } from './rows.ts'
import type { JsonRow, RowsTaker } from './taker.ts'

/** One record is in memory. A larger one is damaged, or should be several. */
const DOCUMENT_BYTES_MAX = 256 << 20

const isInRecords = ({ columns }: Source) => columns.length === 0
const isOf = (source: Source, members: Members) =>
  isInRecords(source) ? hasMembers(source, members) : hasColumns(source, members)

/**
 * Reads a file of JSON, in any shape of `readRows`, into the rows of the first source whose required members its first
 * object has. Returns the number of rows. Throws Failure `input_refused` if the file cannot be read to its end, is not
 * JSON, matches no source, or has no rows.
 */
export async function readJson(
  reading: Reading,
  number: number,
  input: Input,
  sources: readonly Source[],
): Promise<number> {
  const { writer, canceling, advance } = reading
  await recordFile(writer, number, input, [], [])
  const taker = takerOfFirst(input, sources, source =>
    isInRecords(source)
      ? recordsTaker(reading, number, source)
      : columnsTaker(reading, number, input, source),
  )
  try {
    await readRows(rowsRequest(reading, input, sources, advance), taker)
  } catch (thrown) {
    canceling.check()
    throw thrown instanceof Failure ? thrown : notRead(input, firstLine(thrown))
  }
  await assertUnchanged(input)
  const rows = await taker.end()
  if (rows === 0) throw notRead(input, 'it has no records')
  return rows
}

/** How the rows of a file are found. `advance` receives the number of bytes of each read. */
export function rowsRequest(
  { writer, folder, canceling }: Pick<Reading, 'writer' | 'folder' | 'canceling'>,
  input: Input,
  sources: readonly Source[],
  advance: (bytes: number) => void,
): RowsRequest {
  async function* bytes(count: (bytes: number) => void) {
    for await (const chunk of unpackedBytes(input, writer, folder, count)) {
      canceling.check()
      yield chunk
    }
  }
  return {
    look: () => bytes(() => {}),
    bytes: () => bytes(advance),
    fits: members => sources.some(source => isOf(source, members)),
    rowBytesMax: sources.some(isInRecords) ? DOCUMENT_BYTES_MAX : RECORD_BYTES_MAX,
  }
}

export const notRead = (input: Input, reason: string) =>
  new Failure(
    'input_refused',
    `${input.shown} cannot be read: ${oneLine(reason)}: download it again, or exclude it`,
  )

/** Takes the rows of a file into the source of its first object, which decides. */
export function takerOfFirst(
  input: Input,
  sources: readonly Source[],
  begin: (source: Source) => RowsTaker,
): RowsTaker {
  const state: { taker?: RowsTaker } = {}
  const held: JsonRow[] = []
  const start = (source: Source) => {
    const taker = begin(source)
    state.taker = taker
    for (const row of held.splice(0)) taker.take(row)
  }
  return {
    take(row) {
      if (state.taker) return state.taker.take(row)
      held.push(row)
      if (row.fault === undefined && typeof readObject(row.text) !== 'string')
        start(sourceOf(input, sources, row.text))
    },
    flushIfFull: async () => state.taker?.flushIfFull(),
    async end() {
      const [first] = sources
      if (held.length > 0 && first !== undefined) start(first)
      return (await state.taker?.end()) ?? 0
    },
  }
}

/** The source of a row. Columns that a row lacks may be in others. */
function sourceOf(input: Input, sources: readonly Source[], row: string): Source {
  const members = membersOf(row)
  const found = sources.find(source => isOf(source, members)) ?? sources.find(source => !isInRecords(source))
  if (found?.refuses) throw new Failure('input_refused', `${input.shown} is a response of ${found.refuses}`)
  if (found !== undefined) return found
  const needed = sources.map(({ has }) => has.join(', ')).join('; or ')
  throw new Failure(
    'input_refused',
    `${input.shown} is not a file of this format: its first record lacks ${needed}: import it without a format, which recognises it`,
    { cause: OTHER_FORMAT },
  )
}
