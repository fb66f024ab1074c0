import type { FileHandle } from 'node:fs/promises'
import { type Bindings, type Bound, integer } from '../../engine/bind.ts'
import type { Timed } from '../../engine/deadline.ts'
import { ARROW_END } from '../../engine/encode/arrow-end.ts'
import type { Encoded, EncodedFile } from '../../engine/encode/encoded.ts'
import type { PageEnd } from '../../engine/encode/page.ts'
import type { Encoding, Engine } from '../../engine/engine.ts'
import { answer, LIST, type Making, type Pinned, queryOf, settle } from './answer.ts'
import type { Format } from './formats.ts'
import type { Pages } from './operation.ts'

/** An answer that is sent in parts. */
export interface Parts {
  /** The whole answer if `rest` is null, else its beginning. */
  readonly first: Uint8Array
  /** What follows. The query of a page runs when the page is requested; if it rejects, the answer is incomplete. */
  readonly rest: AsyncGenerator<Uint8Array, void> | null
  /** Bytes of all parts, if they are known in advance. */
  readonly bytes: number | null
  /** Whether the answer has no rows. */
  readonly isEmpty: boolean
  /** The end of an answer that continues in another request; null if it does not. */
  readonly end: PageEnd | null
  /** Releases parts that were not requested. Call it after the last request for a part. */
  close(): Promise<void>
}

const whole = ({ bytes, rows, end = null }: Encoded): Parts => ({
  first: bytes,
  rest: null,
  bytes: bytes.byteLength,
  isEmpty: rows === 0,
  end,
  close: async () => {},
})

/**
 * Runs a pinned request as `answer` does, each page with a deadline of its own. An answer of one page has one part.
 * Nothing of the engine is held between parts. All bytes together are those that `answer` returns, except that an Arrow
 * stream may be divided into other record batches. Rejects with InvalidRequest if an answer that cannot be sent in parts is
 * longer than that of `making`.
 */
export async function answerInParts(
  pinned: Pinned,
  engine: Engine,
  format: Format,
  timed: Timed,
  making: Making = {},
): Promise<Parts> {
  const { pages } = pinned.operation
  // An answer that fits in a page needs no query for the ends of pages.
  if (pages === undefined || !mayBeLong(pinned)) {
    return whole(await timed(signal => answer(pinned, engine, format, signal, making)))
  }
  const settled = await timed(signal => settle(pinned, engine, signal))
  if (format === 'parquet') {
    return fromFile(await timed(signal => engine.parquetFile(queryOf(settled, engine), signal)))
  }
  const query = queryOf(settled, engine)
  const page = (index: number, cuts: readonly (readonly Bound[])[], signal: AbortSignal) => {
    const bindings = { ...query.bindings, ...cutOf(settled, pages, cuts, index) }
    const part = { follows: index > 0, frame: index > 0 ? FOLLOWING : { ...FIRST, fullRows: pages.size } }
    return engine.page({ ...query, bindings }, format, part, signal)
  }
  // Most answers have one page: the ends of the others are looked for only if it is full. Both have one turn: a request that
  // waited for another one would hold its page meanwhile.
  const { bytes, rows, cuts } = await timed(async signal => {
    const made = await page(0, [], signal)
    const isFull = made.rows >= pages.size
    const ends = isFull ? await engine.places(query, columnsOf(pages), pages.size, signal) : []
    return { ...made, cuts: ends }
  })
  const end = END[format]
  if (cuts.length <= 1) {
    const isEnded = end.byteLength === 0 || (format === 'json' && rows < pages.size)
    return whole({ bytes: isEnded ? bytes : Buffer.concat([bytes, end]), rows })
  }
  async function* others(): AsyncGenerator<Uint8Array, void> {
    for (let index = 1; index < cuts.length; index += 1) {
      const { bytes } = await timed(signal => page(index, cuts, signal))
      yield bytes
    }
    yield end
  }
  // There is nothing to release between two pages.
  return { first: bytes, rest: others(), bytes: null, isEmpty: false, end: null, close: async () => {} }
}

/** Whether an answer can have several pages. */
export const mayBeLong = ({ operation: { pages }, values: { limit } }: Pinned): boolean =>
  pages !== undefined && !(typeof limit === 'number' && limit <= pages.size)

const columnsOf = ({ after, until }: Pages) => [...Object.values(after), ...Object.values(until)]

/** The values for page `index`: the row before it, its own last row, and its number of rows. */
function cutOf(
  { values }: Pinned,
  { size, after, until }: Pages,
  cuts: readonly (readonly Bound[])[],
  index: number,
): Bindings {
  const names = Object.keys(after)
  const bound = (all: readonly string[], place: readonly Bound[] | undefined) =>
    Object.fromEntries(all.flatMap((name, at) => (place?.[at] ? [[name, place[at]]] : [])))
  const left = typeof values.limit === 'number' ? values.limit - index * size : size
  return {
    ...bound(names, cuts[index - 1]),
    ...bound(Object.keys(until), cuts[index]?.slice(names.length)),
    limit: integer(Math.min(size, left)),
  }
}

const NOTHING = new Uint8Array()

/** What is around the rows of the first page and of the others, as JSON. These answers have no envelope of their own. */
const FIRST = { head: LIST[0], tail: LIST[1] }
const FOLLOWING = { head: ',', tail: '', fullRows: 0 }

/** What follows the rows of the last page, where the page does not have it. */
const END: Readonly<Record<Exclude<Encoding, 'parquet'>, Uint8Array>> = {
  json: Buffer.from(FIRST.tail),
  ndjson: NOTHING,
  csv: NOTHING,
  arrow: ARROW_END,
}

/** A file up to this size is one part, so that it can be cached. */
const WHOLE_BYTES_MAX = 4 * 1024 ** 2

async function fromFile({ file, rows }: EncodedFile): Promise<Parts> {
  const { size } = await file.stat()
  if (size <= WHOLE_BYTES_MAX)
    return whole({ bytes: await file.readFile().finally(() => file.close()), rows })
  return {
    first: NOTHING,
    rest: read(file, size),
    bytes: size,
    isEmpty: rows === 0,
    end: null,
    close: () => file.close(),
  }
}

const PIECE_BYTES = 1024 ** 2

async function* read(file: FileHandle, size: number): AsyncGenerator<Uint8Array, void> {
  for (let position = 0; position < size; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, position)
    if (bytesRead === 0) throw new Error(`the file of the answer is ${size - position} bytes too short`)
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}
