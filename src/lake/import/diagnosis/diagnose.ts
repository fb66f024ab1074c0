import { open } from 'node:fs/promises'
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
  const bytes = start.toString('latin1')
  const signature = SIGNATURES.find(({ begins }) => begins.test(bytes))
  if (signature !== undefined) return `is ${signature.what}: ${signature.next}`
  const text = start
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim()
  return (
    pageIn(text) ??
    errorIn(text) ??
    knownFileIn(text) ??
    (ERROR_TEXTS.test(text) ? failed('the error message of a web server', text) : null)
  )
}

/** `diagnosisOf` of a file; null if it cannot be read. */
export async function diagnoseFile(path: string): Promise<string | null> {
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
      return diagnosisOf(buffer.subarray(0, bytesRead))
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}

/** An HTML page, with its title or first heading. */
function pageIn(text: string): string | null {
  const begins =
    /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|body|title|script|meta)\b/i
  if (!begins.test(text)) return null
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
  return null
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
