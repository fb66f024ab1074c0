import { StringDecoder } from 'node:string_decoder'
import { Failure } from '../../../engine/failure.ts'

/** UTF-16 by its byte order mark, or by the zero bytes between ASCII characters; not UTF-32. */
const UTF_16: readonly (readonly [begins: RegExp, isBigEndian: boolean])[] = [
  [/^\xff\xfe(?!\0\0)|^(?:[\t\n\r\x20-\x7e]\0){8}/, false],
  [/^\xfe\xff|^(?:\0[\t\n\r\x20-\x7e]){8}/, true],
]
const UTF_8_MARK = /^\xef\xbb\xbf/
const PARQUET = /^PAR1/

/** A character of UTF-16 without the other half of its pair. */
const LONE = /\p{Cs}/u

/** Converts a text to UTF-8, piece by piece. Throws an Error with the line of an invalid character. */
export type Converter = (bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<Buffer>

/**
 * The conversion of a text that starts so to UTF-8, if it needs one: of UTF-16, and of the encoding that the user
 * specified, unless a byte order mark says UTF-8.
 */
export function converterOf(start: Buffer, encoding: string | undefined): Converter | undefined {
  const begins = start.toString('latin1')
  const utf16 = UTF_16.find(([pattern]) => pattern.test(begins))
  if (utf16 !== undefined) return bytes => fromUtf16(bytes, utf16[1])
  if (encoding === undefined || UTF_8_MARK.test(begins) || PARQUET.test(begins)) return
  return bytes => decoded(bytes, encoding)
}

/** Throws Failure `usage` for an encoding that is not known. */
export function checkEncoding(encoding: string | undefined): void {
  try {
    new TextDecoder(encoding)
  } catch {
    throw new Failure(
      'usage',
      `unknown encoding ${JSON.stringify(encoding)}: use a name such as windows-1252, iso-8859-15, windows-1251, gb18030 or shift_jis`,
    )
  }
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let line = 1
  for await (const chunk of bytes) {
    const text = textOr(() => decoder.decode(chunk, { stream: true }), line, encoding)
    line += linesIn(text)
    yield Buffer.from(text)
  }
  yield Buffer.from(textOr(() => decoder.decode(), line, encoding))
}

function textOr(decode: () => string, line: number, encoding: string): string {
  try {
    return decode()
  } catch {
    throw new Error(`at line ${line} or soon after, it has bytes that are not ${encoding}`)
  }
}

async function* fromUtf16(bytes: AsyncIterable<Uint8Array>, isBigEndian: boolean): AsyncGenerator<Buffer> {
  const decoder = new StringDecoder('utf16le')
  let odd: Buffer = Buffer.alloc(0)
  let line = 1
  let isStart = true
  for await (const chunk of bytes) {
    const whole = Buffer.concat([odd, chunk])
    const pairs = whole.subarray(0, whole.length - (whole.length % 2))
    odd = whole.subarray(pairs.length)
    const text = decoder.write(isBigEndian ? pairs.swap16() : pairs)
    assertWhole(text, line)
    line += linesIn(text)
    yield Buffer.from(isStart ? text.replace(/^\ufeff/, '') : text)
    isStart &&= text === ''
  }
  if (odd.length > 0 || decoder.end() !== '')
    throw new Error(`it ends in the middle of a character, at line ${line}`)
}

function assertWhole(text: string, line: number): void {
  const at = text.search(LONE)
  if (at === -1) return
  const code = text.charCodeAt(at).toString(16)
  throw new Error(`line ${line + linesIn(text.slice(0, at))} has the invalid character 0x${code} of UTF-16`)
}

const linesIn = (text: string) => text.split('\n').length - 1
