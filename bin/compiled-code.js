import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('binary/compile.cjs', import.meta.url))
const SMALL = { TAPEHOUSE_DEMO_DAYS: '1', TAPEHOUSE_DEMO_TICKERS: '3', TAPEHOUSE_DEMO_TRADES: '400' }
const ADDRESS = /curl -H 'Authorization: ([^']+)' '([^']+)'/

/** Commands whose code is compiled, besides the demo with its server. The first is the one whose start is measured. */
const COMMANDS = [
  [
    'query',
    'analytics-window',
    '--symbols',
    'ACME',
    '--range',
    'full',
    '--calculations',
    'MEAN',
    '--format',
    'json',
  ],
  ['query', 'screener-option-contracts'],
  ['query', 'flow-alerts', '--format', 'csv'],
  ['info'],
  ['--version'],
  ['--help'],
]

/**
 * Compiles the modules among `assets`, paths by name, by running commands on a small market: V8 compiles a function when
 * it is first called. Makes `folder`, and returns the compiled code as assets.
 */
export async function compiledCode(node, assets, folder) {
  const lake = `${folder}-lake`
  const env = {
    ...SMALL,
    HOME: lake,
    PATH: '',
    TAPEHOUSE_LAKE: join(lake, 'lake'),
    TAPEHOUSE_TOKENS: join(lake, 'tokens.json'),
    TAPEHOUSE_NATIVE_DIR: lake,
  }
  mkdirSync(folder)
  mkdirSync(lake)
  const list = join(lake, 'assets.json')
  /** Each command goes on with the compiled code of those before. */
  const argumentsOf = (command, into = folder) => {
    writeFileSync(list, JSON.stringify({ ...assets, ...compiledIn(into) }))
    return [program, list, into, ...command]
  }
  const demo = ['demo', '--workers', '1', '--port', '0', '--admin-port', '0']
  // The first demo generates the market. Its code is not kept: it is large, and its share of the time that this takes is small.
  const unused = join(lake, 'compiled')
  mkdirSync(unused)
  await answerOnce(spawn(node, argumentsOf(demo, unused), { env }))
  await answerOnce(spawn(node, argumentsOf(demo), { env }))
  for (const command of COMMANDS)
    execFileSync(node, argumentsOf(command), { env, stdio: ['ignore', 'pipe', 'inherit'] })
  rmSync(lake, { recursive: true })
  return compiledIn(folder)
}

const compiledIn = folder =>
  Object.fromEntries(readdirSync(folder).map(name => [`compiled/${name}`, join(folder, name)]))

/** Waits for the address that the demo prints, gets it, and stops the demo. */
async function answerOnce(demo) {
  demo.stderr.pipe(process.stderr)
  const ended = once(demo, 'exit')
  let answered = false
  for await (const line of createInterface(demo.stdout)) {
    const [, authorization, address] = ADDRESS.exec(line) ?? []
    if (address === undefined || answered) continue
    answered = (await fetch(address, { headers: { authorization } })).ok
    demo.kill('SIGTERM')
  }
  await ended
  if (!answered) throw new Error('the demo of the binary does not answer')
}
