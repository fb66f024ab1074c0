import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { type Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { checkoutPath } from '../../src/engine/resources.ts'
import { type Launch, type Server, serving } from '../cli/process.ts'

/** A server as a user starts it, and clients of it that are not well-behaved. */
export interface Held extends Server {
  readonly tokens: Readonly<Record<'one' | 'other', string>>
  /** The file of its tokens. */
  readonly tokenFile: string
  /** Sends a request and reads the answer. Rejects never: what goes wrong is the status. */
  ask(path: string, options?: AskOptions): Promise<Asked>
  /** A connection on which `text` is sent and nothing is read. */
  open(text?: string): Promise<Socket>
  /** The processes of the server: the supervisor first. */
  processes(): readonly Used[]
  /** The longest pass of the event loop of a worker since this time of `Date.now()`, in ms of the processor; 5 or more. */
  longestPassMs(sinceMs: number): number
}

export interface AskOptions {
  readonly token?: string
  readonly agent?: Agent
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Asked {
  readonly status: number | string
  readonly retryAfter: string | undefined
  readonly ms: number
  /** The body of an answer that is no 200. */
  readonly problem: string
}

interface Used {
  readonly pid: number
  readonly residentMib: number
  readonly descriptors: number
}

/** Starts a server with two tokens. `descriptorsMax` is its `ulimit -n`. */
export async function holding(
  folder: string,
  lake: string,
  args: readonly string[],
  descriptorsMax: number | null = null,
): Promise<Held> {
  const file = join(folder, `tokens-${randomUUID()}.json`)
  const create = (name: string) => createToken(file, { name, routes: ['*'], owner: null, expiresAt: null })
  const tokens = { one: await create('one'), other: await create('other') }
  const settings = ['--lake', lake, '--tokens', file, '--workers', '2', '--log-level', 'warn', ...args]
  const passes = mkdtempSync(join(folder, 'passes-'))
  const observed = {
    NODE_OPTIONS: `--import=${checkoutPath('test/hold/loop-passes.js')}`,
    LOOP_PASSES: passes,
  }
  const server = await serving(
    settings,
    observed,
    descriptorsMax === null ? undefined : limited(descriptorsMax),
  )
  const port = Number(new URL(server.url).port)
  return {
    ...server,
    tokens,
    tokenFile: file,
    ask(path, { token = tokens.one, agent, headers = {} } = {}) {
      const begun = performance.now()
      return new Promise(resolve => {
        let problem = ''
        const end = (status: number | string, retryAfter?: string) =>
          resolve({ status, retryAfter, ms: performance.now() - begun, problem })
        const authorization = `Bearer ${token}`
        get(
          { port, host: '127.0.0.1', path, agent: agent ?? false, headers: { authorization, ...headers } },
          response => {
            response.on('data', chunk => {
              if (response.statusCode !== 200) problem += chunk
            })
            response.once('end', () => end(response.statusCode ?? 0, response.headers['retry-after']))
            response.once('error', () => end('broken'))
          },
        ).once('error', thrown => end(thrown.message))
      })
    },
    open: text =>
      new Promise(resolve => {
        const socket = connect(port, '127.0.0.1')
        socket.pause()
        socket.on('error', () => {})
        // A connection that is refused counts as one that was tried.
        socket.once('close', () => resolve(socket))
        socket.once('connect', () => {
          if (text !== undefined) socket.write(text)
          resolve(socket)
        })
        onTestFinished(() => void socket.destroy())
      }),
    processes: () => familyOf(server.process.pid ?? 0).map(used),
    longestPassMs: sinceMs => longestPassMs(passes, sinceMs),
  }
}

const command = checkoutPath('bin/tapehouse.js')

/** Starts `tapehouse` in a shell that lowers its limit of descriptors. */
const limited =
  (descriptorsMax: number): Launch =>
  (args, env) =>
    spawn(
      'sh',
      ['-c', `ulimit -n ${descriptorsMax} && exec "$@"`, 'sh', process.execPath, command, ...args],
      {
        env: {
          PATH: process.env.PATH ?? '',
          TMPDIR: process.env.TMPDIR ?? '/tmp',
          HOME: process.env.HOME ?? '/',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )

/** A process, and those that it started. */
function familyOf(pid: number): number[] {
  const children = readdirSync('/proc').filter(name => /^\d+$/.test(name) && parentOf(name) === pid)
  return [pid, ...children.map(Number)]
}

function parentOf(pid: string): number {
  try {
    return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    // It ended meanwhile.
    return Number.NaN
  }
}

const used = (pid: number): Used => ({
  pid,
  residentMib: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
  descriptors: readdirSync(`/proc/${pid}/fd`).length,
})

/** Reads what test/hold/loop-passes.js has written. */
function longestPassMs(passes: string, sinceMs: number): number {
  const lines = readdirSync(passes).flatMap(name =>
    readFileSync(join(passes, name), 'utf8').trim().split('\n'),
  )
  // To load the program takes longer, so that each worker has written some.
  if (lines.length === 0) throw new Error('no worker has written the passes of its event loop')
  const since = lines.map(line => line.split(' ').map(Number)).filter(([endedMs = 0]) => endedMs >= sinceMs)
  return Math.max(5, ...since.map(([, usedMs = 0]) => usedMs))
}

/** How often each value occurs. */
export function tally(values: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** The value below which this part of the values is. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
