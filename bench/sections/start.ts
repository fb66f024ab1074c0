import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWriter } from '../../src/engine/writer.ts'
import { generate } from '../../src/lake/generate/generate.ts'
import { median } from '../measure/medians.ts'
import { processorMsOf } from '../measure/process-tree.ts'
import { PROGRAM } from '../measure/program.ts'
import { freePort } from '../measure/started.ts'
import type { Measured } from '../section.ts'

/**
 * Start: processor time of short commands, and time until a server answers. Each command alternates with a Python script
 * that gives the same statement to the `duckdb` package; the ratio is the median of the pairs. TAPEHOUSE_BENCH_PYTHON names
 * the interpreter. Default: `python3`.
 */
const PAIRS = 15
const STARTS = 5
const command = [process.execPath, PROGRAM]
const python = process.env.TAPEHOUSE_BENCH_PYTHON ?? 'python3'
const SCRIPT = 'import sys, duckdb\nprint(duckdb.connect().execute(open(sys.argv[1]).read()).fetchall())\n'

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  'oi-per-expiry': ['--ticker', 'ACME'],
  insiders: ['--ticker', 'ACME'],
  'screener-option-contracts': [],
}
const OTHERS: readonly (readonly string[])[] = [['--version'], ['query', '--help']]

export async function* starts(): AsyncGenerator<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'tapehouse-bench-start-'))
  try {
    yield* startsIn(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures everything in `folder`, which is empty. */
async function* startsIn(folder: string): AsyncGenerator<Measured> {
  const lake = join(folder, 'lake')
  mkdirSync(join(folder, 'tmp'))
  const writer = await openWriter({ directories: [folder] })
  await generate(writer, lake, { seed: 7, days: 5, tickers: 30, tradesPerDay: 5000 }, () => {})
  writer.close()
  const env = { HOME: folder, PATH: process.env.PATH ?? '', TMPDIR: join(folder, 'tmp') }

  const run = (words: readonly string[]) => {
    const [program = '', ...args] = words
    const { stdout, stderr, status } = spawnSync(program, args, { env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`)
    return stdout
  }
  const millisecondsOf = (words: readonly string[]) => {
    const script = `TIMEFORMAT='%3U %3S'; time "$@" >/dev/null 2>&1`
    const { stderr } = spawnSync('/bin/bash', ['-c', script, 'bash', ...words], { env, encoding: 'utf8' })
    const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number)
    return 1000 * (user + system)
  }
  const script = join(folder, 'ask.py')
  writeFileSync(script, SCRIPT)
  const hasPython = spawnSync(python, ['-c', 'import duckdb'], { env }).status === 0

  for (const [operation, parameters] of Object.entries(QUERIES)) {
    const query = [...command, 'query', operation, ...parameters, '--lake', lake]
    const statement = join(folder, `${operation}.sql`)
    writeFileSync(statement, run([...query, '--sql']))
    const pairs = Array.from({ length: PAIRS }, () => [
      millisecondsOf([...query, '--format', 'json']),
      hasPython ? millisecondsOf([python, script, statement]) : Number.NaN,
    ])
    const ours = median(pairs.map(([one = Number.NaN]) => one))
    yield {
      name: `query ${operation}`,
      ratio: hasPython ? median(pairs.map(([one = 0, other = 0]) => one / other)) : null,
      details: {
        'processor ms': ours,
        ...(hasPython ? { 'python, processor ms': median(pairs.map(([, other = 0]) => other)) } : {}),
      },
    }
  }
  for (const args of OTHERS) {
    const times = Array.from({ length: PAIRS }, () => millisecondsOf([...command, ...args]))
    yield { name: args.join(' '), ratio: null, details: { 'processor ms': median(times) } }
  }

  const tokens = join(folder, 'tokens.json')
  const [token = ''] =
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(
      run([...command, 'token', 'create', '--name', 'bench', '--tokens', tokens]),
    ) ?? []
  const first: { wall: number; processor: number }[] = []
  for (let start = 0; start < STARTS; start += 1) first.push(await firstAnswer(lake, tokens, token, env))
  yield {
    name: 'serve, first answer with 2 workers',
    ratio: null,
    details: {
      ms: median(first.map(({ wall }) => wall)),
      'processor ms': median(first.map(({ processor }) => processor)),
    },
  }
}

/** Starts a server and asks until it answers. */
async function firstAnswer(lake: string, tokens: string, token: string, env: Record<string, string>) {
  const [port, adminPort] = [await freePort(), await freePort()]
  const args = ['serve', '--lake', lake, '--tokens', tokens, '--workers', '2', '--log-level', 'error']
  const [program = '', ...words] = command
  const began = performance.now()
  const server = spawn(
    program,
    [...words, ...args, '--port', String(port), '--admin-port', String(adminPort)],
    { env, stdio: 'ignore' },
  )
  try {
    const url = `http://127.0.0.1:${port}/api/stock/ACME/oi-per-expiry`
    const headers = { authorization: `Bearer ${token}` }
    while ((await fetch(url, { headers }).catch(() => null))?.status !== 200) {
      if (server.exitCode !== null) throw new Error(`serve ended with code ${server.exitCode}`)
      await sleep(10)
    }
    return { wall: performance.now() - began, processor: processorMsOf(server.pid ?? 0) }
  } finally {
    await ended(server)
  }
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const exit = once(server, 'exit')
  server.kill('SIGTERM')
  await exit
}
