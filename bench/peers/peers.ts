import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Ask, httpClient } from '../measure/http.ts'
import type { Parameters } from '../measure/lake-rows.ts'
import { freePort, type Started, start } from '../measure/started.ts'
import type { Question } from './questions.ts'

/** Another program that answers the questions: a folder with the programs `install`, `serve` and, if need be, `load`. */
export interface Peer {
  readonly name: string
  /** Its request for a question. Default: `/<operation>?<parameters>`. */
  readonly ask?: (question: Question, parameters: Parameters) => Ask
  /** The rows of its answer. Default: the list `data`. */
  readonly rows?: (answer: unknown) => readonly Record<string, unknown>[]
  /** Installs and loads in seconds: part of the quick form. */
  readonly isQuick?: boolean
  /** Compiles its code while it runs, as Node.js does. */
  readonly isCompiled?: boolean
  /** The most that our processor time may be of its. Default: 1. */
  readonly atMost?: number
}

const PEERS_FOLDER = fileURLToPath(new URL('../../../bench/peers', import.meta.url))
const asRows = (answer: unknown) => answer as readonly Record<string, unknown>[]

export const PEERS: readonly Peer[] = [
  { name: 'fastapi-duckdb', isQuick: true },
  { name: 'fastapi-polars', isQuick: true },
  { name: 'fastapi-chdb' },
  { name: 'roapi', isQuick: true, ask: askInSql, rows: asRows },
  { name: 'postgresql', isCompiled: true, atMost: 4 },
  {
    name: 'datasette',
    isQuick: true,
    ask: ({ operation }, parameters) => ({
      path: `/data/${operation}.json?${new URLSearchParams({ ...parameters, _shape: 'array' })}`,
    }),
    rows: asRows,
    atMost: 4,
  },
]

/** ROAPI has no parameters: its client writes them into the SQL, and the day into the names of tables. */
function askInSql({ operation }: Question, parameters: Parameters): Ask {
  const sql = readFileSync(join(PEERS_FOLDER, 'roapi/questions', `${operation}.sql`), 'utf8')
  const body = sql
    .replaceAll('{day}', (parameters.date ?? '').replaceAll('-', ''))
    .replace(/\$([a-z_]+)/g, (_, name: string) => {
      const value = parameters[name] ?? ''
      return /^\d+$/.test(value) ? value : `'${value.replaceAll("'", "''")}'`
    })
  return { method: 'POST', path: '/api/sql', body }
}

export const askPeer = (peer: Peer, question: Question, parameters: Parameters): Ask =>
  peer.ask?.(question, parameters) ?? { path: `/${question.operation}?${new URLSearchParams(parameters)}` }

export const rowsOfPeer = (peer: Peer, answer: unknown): readonly Record<string, unknown>[] =>
  peer.rows?.(answer) ?? (answer as { data: Record<string, unknown>[] }).data

/** Installs and loads a peer, unless that is done. Throws what its programs print if they fail. */
export function prepare({ name }: Peer, folder: string, data: string): void {
  const tools = join(folder, 'tools', name)
  run(name, 'install', [tools])
  if (existsSync(join(PEERS_FOLDER, name, 'load'))) run(name, 'load', [tools, data, storeOf(name, data)])
}

const storeOf = (name: string, data: string) => `${data}-${name}`

function run(name: string, program: string, args: readonly string[]): void {
  try {
    execFileSync(join(PEERS_FOLDER, name, program), args, { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (thrown) {
    const printed = thrown instanceof Error && 'stderr' in thrown ? String(thrown.stderr) : String(thrown)
    throw new Error(`${program} of ${name} failed: ${printed.trim().split('\n').at(-1)}`)
  }
}

/** Starts a peer that is prepared, with `workers` processes where it has such a setting. */
export async function startPeer(
  { name }: Peer,
  folder: string,
  data: string,
  workers: number,
): Promise<Started> {
  const port = await freePort()
  return start(
    {
      command: join(PEERS_FOLDER, name, 'serve'),
      arguments: [join(folder, 'tools', name), data, storeOf(name, data), String(port)],
      environment: { PEER_WORKERS: String(workers) },
      port,
    },
    () => answers(port),
  )
}

async function answers(port: number): Promise<boolean> {
  const client = httpClient(port, 1)
  try {
    await client.send({ path: '/' })
    return true
  } catch {
    return false
  } finally {
    client.close()
  }
}
