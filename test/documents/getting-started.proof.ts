import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { read, root } from '../house/source.ts'
import { inherited, linkClone, openShell, type Server, serve } from './shell.ts'

/**
 * Runs docs/getting-started.md from top to bottom: each `sh` block in one shell, as a reader would. The environment makes
 * the demo small and takes free ports; the token and the port of the page are replaced by those that the server printed.
 */

/** First words of each `sh` block of the page, in order, and what its output holds. */
const STEPS: readonly (readonly [command: string, output: RegExp])[] = [
  ['npm ci', /added \d+ packages/],
  ['npm start', /development token +[0-9a-f-]{36}/],
  ['TOKEN=', /^\{"data":\[(\{"date":"2024-12-31","expiry":"[\d-]+","call_oi":\d+,"put_oi":\d+\},?){5,}\]\}$/],
  ['curl -s -H "Authorization: Bearer $TOKEN" -H', /^date,expiry,call_oi,put_oi\r?\n2024-12-31,/],
  ['curl -s -H "Authorization: Bearer $TOKEN" \'', /^\{"msg":"[^}]*date[^}]*yesterday/],
  [
    'npx tapehouse query oi-per-expiry --ticker ACME --lake data/demo/lake',
    /^ +date +expiry +call_oi +put_oi\n/,
  ],
  ['npx tapehouse query oi-per-expiry', /^$/],
  ['npx tapehouse query oi-per-expiry', /^$/],
  ['duckdb', /2024-12-31/],
  ['npx tapehouse stream', /^(\{"optionSymbol":"ACME\d{6}[CP]\d{8}",.*\}\n){3}$/],
  ['cat > prices.csv', /^$/],
  ['npx tapehouse import daily-bars', /4 rows/],
  ['npx tapehouse query analytics-window', /0\.25/],
  ['npx tapehouse import --list', /16 rows/],
  ['TOKEN=$(npx tapehouse token create', /^$/],
  ['npx tapehouse serve', /data\/lake/],
  ['curl', /-0\.25/],
]

const isServer = (script: string) => /^(npm start|npx tapehouse serve)/.test(script)
const ADDRESS = /http:\/\/127\.0\.0\.1:(\d+)(?=\n)/

const blocks = [...read('docs/getting-started.md').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']) => ({ language, text: text.trimEnd() }),
)
/** Whether a block is a whole output, rather than commands or an excerpt that ends in `…`. */
const isWhole = ({ language, text }: { language: string; text: string }) =>
  language !== 'sh' && !text.includes('…')
const scripts = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text)

/** A small demo on free ports. */
const env: NodeJS.ProcessEnv = {
  ...inherited(),
  NO_PROXY: '127.0.0.1',
  TAPEHOUSE_DEMO_DAYS: '1',
  TAPEHOUSE_DEMO_TICKERS: '5',
  TAPEHOUSE_DEMO_TRADES: '1000',
  TAPEHOUSE_WORKERS: '1',
  TAPEHOUSE_PORT: '0',
  TAPEHOUSE_ADMIN_PORT: '0',
}

let folder = ''

/** A folder that looks like a clone after `npm ci`; all that the page writes is written there. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapehouse-getting-started-'))
  linkClone(folder)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const DRY_RUN = { npm_config_dry_run: 'true', npm_config_ignore_scripts: 'true', npm_config_offline: 'true' }

/** Runs `npm ci` without changing anything: it still fails where package.json and the lock disagree. */
function install(script: string): Promise<string> {
  const own = join(folder, 'install')
  mkdirSync(own)
  for (const path of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(root, path), join(own, path))
  return openShell(own, { ...env, ...DRY_RUN }).run(script)
}

/** Runs a query in a DuckDB of its own, as DuckDB's command line would. */
async function duckdb(file: string): Promise<string> {
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  try {
    const result = await connection.runAndReadAll(readFileSync(join(folder, file), 'utf8'))
    return JSON.stringify(result.getRowsJson())
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

test('every command of the page runs, and prints what the page says', async () => {
  const shell = openShell(folder, env)
  let server: Server | undefined
  let address = ''
  let token = ''

  async function outputOf(script: string): Promise<string> {
    if (script === 'npm ci') return install(script)
    const [, file] = /^duckdb < (\S+)$/.exec(script) ?? []
    if (file !== undefined) return duckdb(file)
    if (!isServer(script))
      return shell.run(
        script.replaceAll('http://127.0.0.1:8787', address).replace('paste-the-token-here', token),
      )
    await server?.stop()
    server = await serve(script, folder, env, output => ADDRESS.test(output) && /metrics.*\n/i.test(output))
    const { output } = server
    address = ADDRESS.exec(output)?.[0] ?? ''
    token = /token +([0-9a-f-]{36})/.exec(output)?.[1] ?? token
    return output
  }

  expect(scripts).toHaveLength(STEPS.length)
  for (const [index, script] of scripts.entries()) {
    const [command, expected] = STEPS[index] ?? ['', /^$/]
    expect(script.startsWith(command), `the page has "${script}" where the test expects "${command}"`).toBe(
      true,
    )
    const output = await outputOf(script)
    expect(output, script).toMatch(expected)
    const next = blocks[blocks.findIndex(({ text }) => text === script) + 1]
    if (next !== undefined && isWhole(next)) expect(output.trimEnd(), script).toBe(next.text)
  }
  await server?.stop()
})
