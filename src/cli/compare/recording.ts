import { open } from 'node:fs/promises'
import { Failure, firstLine, systemCode } from '../../engine/failure.ts'
import { printable } from '../terminal/printable.ts'
import { amount, count } from '../terminal/terminal.ts'

/**
 * Recorded requests and answers of an API: a HAR file (HTTP Archive 1.2), which browsers and proxies write, or NDJSON
 * with `{"url": …, "status": …, "body": …}` per line and an optional `method`.
 */

/** One recorded GET request with its answer. */
export interface Recorded {
  /** Where it is in the file, for messages: `line 3` or `entry 3`. */
  readonly place: string
  /** Path from `/api/` on, and query. */
  readonly address: string
  readonly status: number
  /** The parsed JSON; undefined without one. */
  readonly body: unknown
}

export interface Recording {
  readonly requests: readonly Recorded[]
  /** Entries that are no GET request of a path below /api. */
  readonly skipped: number
}

const FILE_BYTES_MAX = 256 * 1024 ** 2
const REQUESTS_MAX = 10_000

/** Reads a file. Throws `usage` with the file and the line or entry for one that is too large or no recording. */
export async function readRecording(path: string): Promise<Recording> {
  const name = printable(path)
  const text = await readText(path, name)
  const entries = isNdjson(text) ? ndjsonEntries(text, name) : harEntries(text, name)
  if (entries.length > REQUESTS_MAX)
    throw refused(
      `${name}: has ${count(entries.length)} entries, at most ${count(REQUESTS_MAX)} are read: split the file`,
    )
  const requests = entries.flatMap(entry => recordedIn(entry) ?? [])
  if (requests.length === 0) throw refused(`${name}: has no GET request of a path below /api with its answer`)
  return { requests, skipped: entries.length - requests.length }
}

const refused = (problem: string) => new Failure('usage', problem)

async function readText(path: string, name: string): Promise<string> {
  try {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      if (size > FILE_BYTES_MAX)
        throw refused(
          `${name}: has ${amount(size, 'bytes')}, at most ${amount(FILE_BYTES_MAX, 'bytes')} are read: split the file`,
        )
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
    const isMissing = systemCode(thrown) === 'ENOENT'
    throw refused(`${name}: ${isMissing ? 'does not exist' : printable(firstLine(thrown))}`)
  }
}

/** An entry of a file whose members are not examined yet. */
interface Entry {
  readonly place: string
  readonly method: unknown
  readonly url: unknown
  readonly status: unknown
  readonly body: unknown
}

type Members = Readonly<Record<string, unknown>>

const membersOf = (value: unknown): Members | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null

function isNdjson(text: string): boolean {
  try {
    return 'url' in (membersOf(JSON.parse(text.split('\n', 1)[0] ?? '')) ?? {})
  } catch {
    return false
  }
}

function ndjsonEntries(text: string, name: string): Entry[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const at = `${name}:${index + 1}`
    const members = membersOf(parsed(line, () => `${at}: is not JSON: each line must be one object`))
    if (members === null)
      throw refused(`${at}: is not an object: each line must be {"url", "status", "body"}`)
    const { method = 'GET', url, status, body } = members
    return [checked({ place: `line ${index + 1}`, method, url, status, body }, at)]
  })
}

function harEntries(text: string, name: string): Entry[] {
  const whole = membersOf(
    parsed(
      text,
      () =>
        `${name}:${faultyLine(text)}: is not JSON: the file must be a HAR, or NDJSON of {"url", "status", "body"}`,
    ),
  )
  const entries = membersOf(whole?.log)?.entries
  if (!Array.isArray(entries))
    throw refused(
      `${name}:1: has no log.entries: the file must be a HAR, or NDJSON of {"url", "status", "body"}`,
    )
  return entries.map((each, index) => {
    const place = `entry ${index + 1}`
    const [request, response] = [membersOf(membersOf(each)?.request), membersOf(membersOf(each)?.response)]
    const { text: body, encoding } = membersOf(response?.content) ?? {}
    const decoded =
      encoding === 'base64' && typeof body === 'string' ? Buffer.from(body, 'base64').toString() : body
    return checked(
      { place, method: request?.method, url: request?.url, status: response?.status, body: decoded },
      `${name}: ${place}`,
    )
  })
}

function checked(entry: Entry, at: string): Entry {
  const { method, url, status } = entry
  if (typeof url !== 'string' || !URL.canParse(url, BASE)) throw refused(`${at}: its url is no URL`)
  if (typeof method !== 'string') throw refused(`${at}: its method is no text`)
  // A browser records 0 for a request without an answer.
  if (!Number.isInteger(status) || Number(status) < 0 || Number(status) > 599)
    throw refused(`${at}: its status is no HTTP status`)
  return entry
}

function parsed(text: string, problem: () => string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused(problem())
  }
}

/** The first line up to which a text cannot begin a JSON text, found by bisection. */
function faultyLine(text: string): number {
  const ends = [...text.matchAll(/\n|$/g)].map(({ index }) => index)
  let [low, high] = [0, ends.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (mayContinue(text.slice(0, ends[middle]))) low = middle + 1
    else high = middle
  }
  return low + 1
}

/** Whether the only fault of a text is its end. No string continues in another line. */
function mayContinue(start: string): boolean {
  try {
    JSON.parse(start)
    return true
  } catch (thrown) {
    const message = firstLine(thrown)
    if (message.startsWith('Unterminated string')) return false
    const [, position] = /at position (\d+)/.exec(message) ?? []
    return message.startsWith('Unexpected end of JSON input') || Number(position) === start.length
  }
}

const BASE = 'http://recorded.invalid'
/** Names of parameters that carry a secret of the recorded API. */
const SECRET = /^(api_?key|access_token|token)$/i
/** A browser that knows an answer already records 304 or 0, without a body. */
const WITHOUT_BODY: readonly unknown[] = [0, 204, 304]

/** The request that an entry records; null for one that is not compared. */
function recordedIn({ place, method, url, status, body }: Entry): Recorded | null {
  const { pathname, searchParams } = new URL(String(url), BASE)
  const start = pathname.indexOf('/api/')
  if (String(method).toUpperCase() !== 'GET' || start < 0 || WITHOUT_BODY.includes(status)) return null
  const query = new URLSearchParams([...searchParams].filter(([name]) => !SECRET.test(name)))
  const address = `${pathname.slice(start)}${query.size > 0 ? `?${query}` : ''}`
  return { place, address, status: Number(status), body: typeof body === 'string' ? jsonIn(body) : body }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
