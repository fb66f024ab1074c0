import { type FileHandle, open } from 'node:fs/promises'
import type { Input } from '../input/inputs.ts'
import { valuesAt } from '../layout/path.ts'
import { knownFileIn } from './known-files.ts'
import { ERROR_ANSWERS, ERROR_MEMBERS, ERROR_TEXTS, RATE_LIMIT, SIGNATURES } from './signatures.ts'

/** An error of a web service is smaller than this; a larger file is not parsed. */
export const START_BYTES = 64 << 10
const QUOTED_MAX = 160
const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu

/**
 * What a file is that has no data, and what to do, for a message that begins with its name: `is an HTML page …: download
 * it again`. Null if that is not known. `start` is its first START_BYTES bytes, or all of it.
 */
export function diagnosisOf(start: Buffer): string | null {
  if (READ.some(magic => start.subarray(0, magic.length).equals(magic))) return null
  const bytes = start.toString('latin1')
  const signature = SIGNATURES.find(({ begins }) => begins.test(bytes))
  if (signature !== undefined) return `is ${signature.what}: ${signature.next}`
  const text = start
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim()
  if (text === '') return 'is empty: download it again, or exclude it'
  return (
    pageIn(text) ??
    errorIn(text) ??
    knownFileIn(text) ??
    (ERROR_TEXTS.test(text) ? failed('the error message of a web server', text) : null) ??
    (isBinary(start, text) ? BINARY : null)
  )
}

/** How files begin that are binary and read. */
const READ = ['50415231', '504b0304', '504b0506', '1f8b', '28b52ffd'].map(hex => Buffer.from(hex, 'hex'))

const BINARY = 'is a binary file of an unknown kind: export the data as CSV, JSON or Parquet, and import that'
/** Shares of a text's start from which it is binary. A text in an old encoding has fewer characters that are not UTF-8. */
const CONTROL_SHARE = 0.02
/** A short text may hold a few control characters. */
const CONTROLS_MIN = 8
const REPLACED_SHARE = 0.3
const BINARY_BYTES = 4096

function isBinary(start: Buffer, text: string): boolean {
  const bytes = start.subarray(0, BINARY_BYTES)
  const controls = bytes.filter(byte => byte < 9 || (byte > 13 && byte < 32)).length
  const characters = text.slice(0, BINARY_BYTES)
  const replaced = characters.split('\ufffd').length - 1
  return (
    controls > Math.max(CONTROLS_MIN, bytes.length * CONTROL_SHARE) ||
    replaced > characters.length * REPLACED_SHARE
  )
}

/** `diagnosisOf` of a file; null if it cannot be read. A file that is compressed, by its name, may be binary. */
export async function diagnoseFile({
  real,
  compression,
}: Pick<Input, 'real' | 'compression'>): Promise<string | null> {
  try {
    const file = await open(real)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
      const start = buffer.subarray(0, bytesRead)
      if (await isCutParquet(file, start)) return CUT_PARQUET
      const found = diagnosisOf(start)
      return found === BINARY && compression !== 'none' ? null : found
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}

const CUT_PARQUET = 'is a Parquet file that is cut off: download it again'
const PARQUET = Buffer.from('PAR1')

/** Whether a file begins as Parquet, and does not end so. */
async function isCutParquet(file: FileHandle, start: Buffer): Promise<boolean> {
  if (!start.subarray(0, PARQUET.length).equals(PARQUET)) return false
  const { size } = await file.stat()
  const end = Buffer.alloc(PARQUET.length)
  await file.read(end, 0, PARQUET.length, Math.max(0, size - PARQUET.length))
  return size < 3 * PARQUET.length || !end.equals(PARQUET)
}

/** An HTML page, with its title or first heading. */
function pageIn(text: string): string | null {
  const begins =
    /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|body|title|script|meta)\b/i
  if (!begins.test(text)) return null
  const isSheet = /urn:schemas-microsoft-com:office:excel/.test(text)
  if (isSheet || (/<table\b/i.test(text) && !/<(?:title|h1|form|script)\b/i.test(text)))
    return 'is a table in HTML, which some sites name .xls: open it with Excel or LibreOffice, save it as .xlsx or CSV, and import that'
  const [, title = ''] = /<(?:title|h1)\b[^>]*>([^<]*)</i.exec(text) ?? []
  return failed('an HTML page', title)
}

/** An error as XML (Amazon S3, Google Cloud Storage and Azure) or as JSON. */
function errorIn(text: string): string | null {
  const element = (name: string) => new RegExp(`<${name}>([^<]*)<`).exec(text)?.[1] ?? ''
  if (/^(?:<\?xml[^>]*>\s*)?<Error\b/.test(text))
    return failed(
      'the error message of a file store',
      [element('Code'), element('Message')].filter(Boolean).join(': '),
    )
  if (!/^[[{]/.test(text)) return null
  const document = parsed(text)
  if (typeof document !== 'object' || document === null) return null
  for (const { service, has = [], message, isGeneral = false } of ERROR_ANSWERS) {
    if (isGeneral && !Object.keys(document).every(name => ERROR_MEMBERS.has(name))) continue
    if (!has.every(path => valuesAt(document, path).length > 0)) continue
    const values = message.flatMap(path => valuesAt(document, path)).map(({ value }) => value)
    const found = values.find(value => typeof value === 'string' && value !== '')
    if (typeof found === 'string') return failed(`an error message of ${service}`, found)
  }
  return emptyIn(document)
}

/** A document whose lists are all empty: the answer to a request for which there is no data. */
function emptyIn(document: object): string | null {
  const lists = Array.isArray(document)
    ? [['', document] as const]
    : Object.entries(document).filter(([, value]) => Array.isArray(value))
  const isFlat = Object.values(document).every(
    value => Array.isArray(value) || typeof value !== 'object' || value === null,
  )
  if (lists.length === 0 || !isFlat || lists.some(([, list]) => list.length > 0)) return null
  const names = lists.flatMap(([name]) => (name === '' ? [] : [JSON.stringify(name)])).join(' and ')
  return `has no rows${names === '' ? ', it is an empty list' : ` in ${names}`}: check the symbol and the dates of the request, and download the data again`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A download that failed, with its message, and what to do. */
function failed(what: string, message: string): string {
  const line = message.replace(CONTROL, ' ').trim()
  const shown = line.length > QUOTED_MAX ? `${line.slice(0, QUOTED_MAX - 1)}…` : line
  const quoted = shown === '' ? '' : ` (${JSON.stringify(shown)})`
  return RATE_LIMIT.test(message)
    ? `is ${what}${quoted}: wait until the limit permits it, and download the data again`
    : `is ${what}${quoted}, probably a download that failed: check its address and key, and download the data again`
}
