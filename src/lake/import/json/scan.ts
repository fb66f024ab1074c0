import { Tokenizer, TokenType } from '@streamparser/json'

/** The place of a value in a document: keys of objects and positions in arrays, from the outside. */
export type Place = readonly (string | number)[]

export type Shape = 'object' | 'array' | 'scalar'

/** Chooses values of a JSON text, and receives them. */
export interface Selection {
  /** What is done with the value at `place`. An object or array that is searched has values of its own. */
  choose(place: Place, shape: Shape): 'take' | 'search' | 'skip'
  /** Receives the text of a taken value. Of one that is too long it is the start, and `fault` is the reason. */
  take?(text: string, place: Place, fault: string | undefined): void
}

export interface Scanner {
  push(chunk: Buffer): void
  /** Ends the text. */
  end(): void
}

/** Characters of a value that is too long. */
const SHOWN_BYTES = 1000
const DEPTH_MAX = 64

/** An open object or array that is searched. */
interface Open {
  readonly isArray: boolean
  /** What may follow. */
  next: 'first' | 'value' | 'key' | 'colon' | 'comma'
}

const CLOSERS = new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET])

/** A tokenizer that keeps the digits of numbers. */
class ExactTokenizer extends Tokenizer {
  written = ''
  protected override parseNumber(written: string): number {
    this.written = written
    return 0
  }
}

/**
 * Searches a JSON text (RFC 8259; several documents may follow each other) for values, with the memory of one value.
 * Taken values keep their bytes, and so all digits of numbers; only the ends of taken values are found here, not what
 * is wrong in them. A value of more than `bytesMax` is skipped. Throws an Error with a reason for text that is not JSON
 * or is incomplete.
 */
export function scanJson(selection: Selection, bytesMax: number): Scanner {
  const tokenizer = new ExactTokenizer({ separator: '' })
  const open: Open[] = []
  const place: (string | number)[] = []
  /** The number of bytes before the current chunk, and the chunk. */
  let before = 0
  let chunk: Buffer = Buffer.alloc(0)
  /** The parts of a taken value in earlier chunks, while `depth` of its objects and arrays are open. */
  let parts: Buffer[] = []
  let depth = 0
  let start = 0
  let isTaking = false

  const fail = (what: string, offset: number): never => {
    throw new Error(`${what} at byte ${offset + 1}`)
  }

  /** Moves to the value that starts at `offset`. */
  function enter(offset: number): void {
    const inside = open.at(-1)
    if (inside === undefined) return
    if (inside.next !== 'value' && !(inside.isArray && inside.next === 'first'))
      fail('unexpected value', offset)
    if (inside.isArray) place[place.length - 1] = Number(place.at(-1)) + 1
    inside.next = 'comma'
  }

  function takeWhole(end: number): void {
    if (!isTaking) return
    const bytes = Buffer.concat([...parts, chunk.subarray(Math.max(0, start - before), end - before)])
    parts = []
    const isTooLong = end - start > bytesMax
    selection.take?.(
      bytes.toString('utf8', 0, isTooLong ? SHOWN_BYTES : bytes.length),
      place,
      isTooLong ? `longer than ${bytesMax} bytes` : undefined,
    )
  }

  function openValue(isArray: boolean, offset: number): void {
    enter(offset)
    const choice = selection.choose(place, isArray ? 'array' : 'object')
    if (choice !== 'search') {
      isTaking = choice === 'take'
      start = offset
      depth = 1
      return
    }
    if (open.length >= DEPTH_MAX) fail(`more than ${DEPTH_MAX} nested values`, offset)
    open.push({ isArray, next: 'first' })
    place.push(isArray ? -1 : '')
  }

  function closeValue(isArray: boolean, offset: number): void {
    const closed = open.pop()
    if (closed?.isArray !== isArray || !(closed.next === 'first' || closed.next === 'comma'))
      fail(`unexpected ${isArray ? ']' : '}'}`, offset)
    place.pop()
  }

  function scalar(text: string, offset: number): void {
    enter(offset)
    if (selection.choose(place, 'scalar') === 'take') selection.take?.(text, place, undefined)
  }

  tokenizer.onToken = ({ token, value, offset }) => {
    if (depth > 0) {
      if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1
      else if (CLOSERS.has(token)) {
        depth -= 1
        if (depth === 0) takeWhole(offset + 1)
      }
      return
    }
    const inside = open.at(-1)
    if (token === TokenType.LEFT_BRACE) openValue(false, offset)
    else if (token === TokenType.LEFT_BRACKET) openValue(true, offset)
    else if (token === TokenType.RIGHT_BRACE) closeValue(false, offset)
    else if (token === TokenType.RIGHT_BRACKET) closeValue(true, offset)
    else if (token === TokenType.COLON) {
      if (inside?.next !== 'colon') fail('unexpected ":"', offset)
      else inside.next = 'value'
    } else if (token === TokenType.COMMA) {
      if (inside?.next !== 'comma') fail('unexpected ","', offset)
      else inside.next = inside.isArray ? 'value' : 'key'
    } else if (token === TokenType.STRING && inside?.isArray === false && inside.next !== 'value') {
      if (inside.next !== 'first' && inside.next !== 'key') fail('unexpected string', offset)
      place[place.length - 1] = String(value)
      inside.next = 'colon'
    } else if (token === TokenType.NUMBER) scalar(tokenizer.written, offset)
    else scalar(JSON.stringify(value), offset)
  }
  tokenizer.onError = thrown => {
    throw thrown
  }

  return {
    push(bytes) {
      chunk = bytes
      tokenizer.write(bytes)
      if (depth > 0 && isTaking) {
        // Of a value that is too long, the start is enough.
        if (before + bytes.length - start <= bytesMax || parts.length === 0)
          parts.push(bytes.subarray(Math.max(0, start - before)))
      }
      before += bytes.length
    },
    end() {
      tokenizer.end()
      if (depth > 0 || open.length > 0) throw new Error('it ends in the middle of a value')
    },
  }
}
