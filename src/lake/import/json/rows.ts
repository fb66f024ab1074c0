import { readObject, scanLines } from './objects.ts'
import { isRowAt, leadsToRows, type Members, placesIn, type RowPlace, rowPlaces } from './places.ts'
import { scanJson } from './scan.ts'
import type { RowsTaker } from './taker.ts'

export interface RowsRequest {
  /** The bytes of the file, to look at before they are read. */
  look(): AsyncIterable<Buffer>
  bytes(): AsyncIterable<Buffer>
  /** Whether an object with these members is a row. */
  fits(members: Members): boolean
  /** The size of a row that is too long. */
  readonly rowBytesMax: number
}

/** Enough of the file to see whether it has lines, each a row. */
const HEAD_BYTES = 1 << 20

/**
 * Reads the rows of a JSON file with the memory of a few rows: lines of objects, the elements of an array, an object,
 * several of these one after another, or the rows within a wrapper such as `{"count": 2, "data": [{…}, {…}]}`. Lines
 * have their number in the file, other rows are counted from 1.
 *
 * Throws an Error with a reason if the text is not JSON or incomplete, or if it has rows in several places.
 */
export async function readRows(request: RowsRequest, taker: Omit<RowsTaker, 'end'>): Promise<void> {
  const scanner = (await hasLines(request))
    ? scanLines((text, number, fault) => taker.take({ text, number, fault, isLine: true }))
    : scanRows(await placeOfRows(request), taker.take, request.rowBytesMax)
  for await (const chunk of withoutMark(request.bytes())) {
    scanner.push(chunk)
    await taker.flushIfFull()
  }
  scanner.end()
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Bytes without a byte order mark. */
export async function* withoutMark(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (start === undefined) yield chunk
    else {
      start = Buffer.concat([start, chunk])
      if (start.length < BYTE_ORDER_MARK.length) continue
      const isMarked = start.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
      yield start.subarray(isMarked ? BYTE_ORDER_MARK.length : 0)
      start = undefined
    }
  }
  if (start !== undefined && start.length > 0) yield start
}

/**
 * Whether the file has lines of objects, each a row: its first line is an object, has others after it and no rows within
 * it; or the first line is broken, and another one is an object.
 */
async function hasLines({ look, fits }: RowsRequest): Promise<boolean> {
  let head: Buffer = Buffer.alloc(0)
  for await (const chunk of withoutMark(look())) {
    head = Buffer.concat([head, chunk])
    if (head.length > HEAD_BYTES) break
  }
  const text = head.toString('utf8')
  const [first = '', ...others] = text.split('\n').filter(line => line.trim() !== '')
  if (others.length === 0) return false
  if (!isObject(first)) return others.some(isObject) && !isDocument(text, head.length <= HEAD_BYTES)
  const [outer, ...inner] = placesIn(first)
  return outer === undefined || fits(outer.members) || !inner.some(({ members }) => fits(members))
}

const isObject = (line: string) => typeof readObject(line.trim()) !== 'string'

/** Whether a text starts with a document of several lines; if it is whole, whether it is one. */
function isDocument(text: string, isWhole: boolean): boolean {
  const scanner = scanJson({ choose: () => 'search' }, HEAD_BYTES)
  try {
    scanner.push(Buffer.from(text))
    if (isWhole) scanner.end()
    return true
  } catch {
    return false
  }
}

/** Finds the rows that fit, from the outside; if none do, those that an array or object has at first sight. */
async function placeOfRows({ look, fits }: RowsRequest): Promise<RowPlace> {
  const places = await rowPlaces(withoutMark(look()))
  const fitting = places.filter(({ members }) => fits(members))
  const [first, second] = fitting
  if (first === undefined) return places[0]?.rows ?? ['*']
  if (second !== undefined && second.rows.length === first.rows.length)
    throw new Error(
      `it has rows in ${fitting.map(({ rows }) => rows.filter(key => key !== '*').join('.')).join(' and in ')}: save them as files of their own`,
    )
  return first.rows
}

/** Splits a document into its rows. */
function scanRows(rows: RowPlace, take: RowsTaker['take'], rowBytesMax: number) {
  let number = 0
  return scanJson(
    {
      choose: (place, shape) =>
        isRowAt(rows, place) ? 'take' : shape !== 'scalar' && leadsToRows(rows, place) ? 'search' : 'skip',
      take(text, _, fault) {
        number += 1
        take({ text, number, fault, isLine: false })
      },
    },
    rowBytesMax,
  )
}
