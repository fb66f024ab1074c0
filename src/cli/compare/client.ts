import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, firstLine } from '../../engine/failure.ts'
import { printable } from '../terminal/printable.ts'
import { amount } from '../terminal/terminal.ts'

/** The server that recorded requests are sent to, one after the other. */

export interface Received {
  readonly status: number
  /** The parsed JSON; undefined without one. */
  readonly body: unknown
}

export interface Client {
  /** Throws `usage` if the server does not answer, `canceled` if the signal aborts. */
  get(address: string, signal: AbortSignal): Promise<Received>
}

const ANSWER_BYTES_MAX = 64 * 1024 ** 2
const TIMEOUT_MS = 120_000
/** A server that is busy is asked again, at most this often, after the seconds that it names. */
const ATTEMPTS_MAX = 5
const WAIT_S_MAX = 10
const BUSY: readonly number[] = [429, 503]

/** A client of the API at a URL, which may have a path before `/api`. Throws `usage` for another URL. */
export function openClient(url: string, token: string | null): Client {
  const base = URL.canParse(url) ? new URL(url) : null
  if (base === null || !['http:', 'https:'].includes(base.protocol) || base.username || base.search)
    throw new Failure(
      'usage',
      `--server must be an http or https URL such as http://127.0.0.1:8787, not ${JSON.stringify(printable(url))}`,
    )
  const prefix = `${base.origin}${base.pathname.replace(/\/+$/, '')}`
  const headers = {
    accept: 'application/json',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  }
  const send = async (address: string, signal: AbortSignal): Promise<Response> => {
    try {
      // A redirection could send the token to another host: it is compared as it is.
      const limits = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
      return await fetch(`${prefix}${address}`, { headers, redirect: 'manual', signal: limits })
    } catch (thrown) {
      if (signal.aborted) throw new Failure('canceled', 'the comparison was interrupted')
      const cause = thrown instanceof Error && thrown.cause ? thrown.cause : thrown
      throw new Failure(
        'usage',
        `${prefix} does not answer: ${printable(firstLine(cause))}: start it, or correct --server`,
      )
    }
  }
  return {
    async get(address, signal) {
      for (let attempt = 1; ; attempt += 1) {
        const response = await send(address, signal)
        const { status } = response
        const text = await readText(response, address)
        if (!BUSY.includes(status) || attempt === ATTEMPTS_MAX) return { status, body: jsonIn(text) }
        const seconds = Number(response.headers.get('retry-after') ?? 1)
        await sleep(1000 * Math.min(WAIT_S_MAX, Number.isFinite(seconds) ? Math.max(seconds, 0) : 1))
      }
    },
  }
}

async function readText(response: Response, address: string): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > ANSWER_BYTES_MAX)
      throw new Failure(
        'usage',
        `the answer to ${printable(address)} has more than ${amount(ANSWER_BYTES_MAX, 'bytes')}: remove the request from the file`,
      )
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The token in a file, without the line break at its end. Throws `usage` without repeating the content. */
export async function readToken(path: string): Promise<string> {
  const name = JSON.stringify(printable(path))
  const text = await readFile(path, 'utf8').catch((thrown: unknown) => {
    throw new Failure('usage', `--token-file ${name} cannot be read: ${printable(firstLine(thrown))}`)
  })
  if (!/^[\x21-\x7e]{1,4096}$/.test(text.trim()))
    throw new Failure('usage', `--token-file ${name} must have one token and nothing else`)
  return text.trim()
}
