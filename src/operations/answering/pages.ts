import type { FileHandle } from 'node:fs/promises'
import { type Bindings, type Bound, integer } from '../../engine/bind.ts'
import type { Timed } from '../../engine/deadline.ts'
import { ARROW_END } from '../../engine/encode/arrow.ts'
import type { Encoding, Engine } from '../../engine/engine.ts'
import { answer, LIST, type Pinned, queryOf, settle } from './answer.ts'
import type { Format } from './formats.ts'
import type { Pages } from './operation.ts'

/** An answer that comes in parts. */
export interface Parts {
  /** The whole answer where `rest` is null, else its beginning. */
  readonly first: Uint8Array
  /** What follows. A page's query runs when the page is asked for; a part that rejects leaves the answer broken. */
  readonly rest: AsyncGenerator<Uint8Array, void> | null
  /** Bytes of all parts, where that is known before. */
  readonly bytes: number | null
  /** Lets go of what was not asked for. Call it when no part is asked for any more, also after the last. */
  close(): Promise<void>
}

const whole = (first: Uint8Array): Parts => ({
  first,
  rest: null,
  bytes: first.byteLength,
  close: async () => {},
})

/**
 * Runs a pinned request as `answer` does, each query with a deadline of its own. Only an answer of more than one page
 * comes in more than one part; nothing of the engine is held between them. All bytes together are what `answer` gives,
 * but that an Arrow stream may be cut into record batches elsewhere.
 */
export async function answerInParts(
  pinned: Pinned,
  engine: Engine,
  format: Format,
  timed: Timed,
): Promise<Parts> {
  const { pages } = pinned.operation
  const { limit } = pinned.values
  // What fits a page needs no look at where pages end.
  if (pages === undefined || (typeof limit === 'number' && limit <= pages.size))
    return whole(await timed(signal => answer(pinned, engine, format, signal)))
  const settled = await timed(signal => settle(pinned, engine, signal))
  if (format === 'parquet') {
    return fromFile(await timed(signal => engine.parquetFile(queryOf(settled, engine), signal)))
  }
  const query = queryOf(settled, engine)
  const cuts = await timed(signal => engine.places(query, columnsOf(pages), pages.size, signal))
  const { head, between, tail } = framesOf(settled)[format]
  const page = (index: number) => {
    const bindings = { ...query.bindings, ...cutOf(settled, pages, cuts, index) }
    return timed(signal => engine.page({ ...query, bindings }, format, index > 0, signal))
  }
  const first = Buffer.concat([head, await page(0)])
  if (cuts.length <= 1) return whole(Buffer.concat([first, tail]))
  async function* others(): AsyncGenerator<Uint8Array, void> {
    for (let index = 1; index < cuts.length; index += 1) {
      const bytes = await page(index)
      yield between.byteLength > 0 ? Buffer.concat([between, bytes]) : bytes
    }
    yield tail
  }
  // Between two pages there is nothing to let go of.
  return { first, rest: others(), bytes: null, close: async () => {} }
}

const columnsOf = ({ after, until }: Pages) => [...Object.values(after), ...Object.values(until)]

/** What page `index` is bound to: the place of the row before it, that of its own last one, and how many rows it has. */
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

type Textual = Exclude<Encoding, 'parquet'>

interface Frame {
  readonly head: Uint8Array
  /** What stands between the rows of two pages. */
  readonly between: Uint8Array
  readonly tail: Uint8Array
}

const NOTHING = new Uint8Array()
const BARE: Frame = { head: NOTHING, between: NOTHING, tail: NOTHING }

function framesOf({ plan }: Pinned): Readonly<Record<Textual, Frame>> {
  const [head, tail] = plan.envelope ?? LIST
  return {
    json: { head: Buffer.from(head), between: Buffer.from(','), tail: Buffer.from(tail) },
    ndjson: BARE,
    csv: BARE,
    arrow: { ...BARE, tail: ARROW_END },
  }
}

/** A file up to this size is given whole, so that it can be kept and asked for again. */
const WHOLE_BYTES_MAX = 4 * 1024 ** 2

async function fromFile(file: FileHandle): Promise<Parts> {
  const { size } = await file.stat()
  if (size <= WHOLE_BYTES_MAX) return whole(await file.readFile().finally(() => file.close()))
  return { first: NOTHING, rest: read(file, size), bytes: size, close: () => file.close() }
}

const PIECE_BYTES = 1024 ** 2

async function* read(file: FileHandle, size: number): AsyncGenerator<Uint8Array, void> {
  for (let position = 0; position < size; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, position)
    if (bytesRead === 0) throw new Error(`an answer's file ends ${size - position} bytes too early`)
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}
