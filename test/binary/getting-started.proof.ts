import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, inject, test } from 'vitest'
import { contain, inContainer } from '../deploy/container.ts'
import { copyOfDebian, hasDebian, pagePackages } from '../deploy/debian.ts'
import { inherited, openShell, type Shell } from '../documents/shell.ts'
import { countCases } from '../fixtures/tier.ts'
import { read } from '../house/source.ts'
import { releasedClone } from './release.ts'

/**
 * Runs docs/getting-started.md from top to bottom in a root of Debian, in a folder with only the archive of a release: each
 * `sh` block as it is, in one of two terminals, as a reader would. The network is the root's own loopback, with the ports of the
 * page. The first block is run when the root is made. The environment makes the demo small.
 */

type Terminal = 'first' | 'second'

/** The terminal and the first words of each `sh` block of the page but the first, in order, and what its output holds. */
const STEPS: readonly (readonly [terminal: Terminal, command: string, output: RegExp])[] = [
  ['first', 'tar -xJf', /^\d+\.\d+\.\d+\n$/],
  ['first', 'tapehouse demo', /development token +[0-9a-f-]{36}/],
  ['second', 'export PATH', /^$/],
  [
    'second',
    'TOKEN=',
    /^\{"data":\[(\{"date":"2024-12-31","expiry":"[\d-]+","call_oi":\d+,"put_oi":\d+\},?){5,}\]\}$/,
  ],
  ['second', 'curl -s -H "Authorization: Bearer $TOKEN" -H', /^date,expiry,call_oi,put_oi\r?\n2024-12-31,/],
  ['second', 'curl -s -H "Authorization: Bearer $TOKEN" \'', /^\{"msg":"[^}]*date[^}]*yesterday/],
  ['second', 'tapehouse query oi-per-expiry', /^ +date +expiry +call_oi +put_oi\n/],
  ['second', 'tapehouse query oi-per-expiry', /^$/],
  ['second', 'tapehouse query oi-per-expiry', /^$/],
  ['second', 'tapehouse stream', /^(\{"optionSymbol":"ACME\d{6}[CP]\d{8}",.*\}\n){3}$/],
  ['second', 'cat > prices.csv', /^$/],
  ['second', 'tapehouse import daily-bars', /4 rows/],
  ['second', 'tapehouse query analytics-window', /0\.25/],
  ['second', 'tapehouse import --list', /^daily-bars\n/m],
  ['second', 'TOKEN=$(tapehouse token create', /^$/],
  ['first', 'tapehouse serve', /data\/lake/],
  ['second', 'curl', /-0\.25/],
]

const page = read('docs/getting-started.md')
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text: text.trimEnd(),
}))
/** Whether a block is a whole output, rather than commands or an excerpt that ends in `…`. */
const isWhole = ({ language, text }: { language: string; text: string }) =>
  language !== 'sh' && !/…|^duckdb /.test(text)
const [, ...scripts] = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text)

const isServer = (script: string) => /^tapehouse (demo|serve)\b/.test(script)
const isServing = (output: string) =>
  /http:\/\/127\.0\.0\.1:8787\n/.test(output) && /metrics.*\n/i.test(output)

const SMALL = {
  TAPEHOUSE_DEMO_DAYS: '1',
  TAPEHOUSE_DEMO_TICKERS: '5',
  TAPEHOUSE_DEMO_TRADES: '1000',
  TAPEHOUSE_WORKERS: '1',
}

/** A query that the page writes for another DuckDB, and its answer there. The folder has the same path in the root. */
async function answerOf(file: string): Promise<string> {
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  try {
    return JSON.stringify((await connection.runAndReadAll(readFileSync(file, 'utf8'))).getRowsJson())
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Follows the page in a root, in a new folder. Rejects at the first command that fails. */
async function follow(root: string): Promise<void> {
  const folder = mkdtempSync(join(inject('runFolder'), 'getting-started-'))
  const release = join(await releasedClone(), 'release')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const archive = `tapehouse-${version}-linux-x64.tar.xz`
  copyFileSync(join(release, archive), join(folder, archive))
  mkdirSync(join(root, folder), { recursive: true })
  const container = await contain(['--bind', root, '/', '--bind', folder, folder], ['/bin/sleep', 'infinity'])
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    ...SMALL,
  }
  const open = async () => {
    const shell = openShell('/', env, [...inContainer(container), '/bin/sh', '-e'])
    await shell.run(`cd '${folder}'`)
    return shell
  }
  const terminals: Readonly<Record<Terminal, Shell>> = { first: await open(), second: await open() }
  let serves = false

  async function outputOf(terminal: Terminal, script: string): Promise<string> {
    const shell = terminals[terminal]
    if (!isServer(script)) return shell.run(script)
    if (serves) await shell.interrupt()
    serves = true
    return shell.start(script, isServing)
  }

  for (const [index, script] of scripts.entries()) {
    const [terminal, command, expected] = STEPS[index] ?? ['first', '', /^$/]
    expect(script.startsWith(command), `the page has "${script}" where the test expects "${command}"`).toBe(
      true,
    )
    const output = await outputOf(terminal, script)
    expect(output, script).toMatch(expected)
    const next = blocks[blocks.findIndex(({ text }) => text === script) + 1]
    if (next !== undefined && isWhole(next)) expect(output.trimEnd(), script).toBe(next.text)
    const [, query] = /> (\S+\.sql)$/.exec(script) ?? []
    if (query !== undefined) expect(await answerOf(join(folder, query))).toMatch(/2024-12-31/)
    countCases(1)
  }
  await terminals.first.interrupt()
}

const NEEDED = '(needs the packages mmdebstrap and bubblewrap)'

test.skipIf(!hasDebian)(`every command of the page runs in a new root of Debian ${NEEDED}`, async () => {
  expect(scripts).toHaveLength(STEPS.length)
  expect(page).toContain('\n```text\nduckdb < oi.sql\n```\n')
  await follow(await copyOfDebian())
})

/** The failure without each package that the page installs. */
const WITHOUT: Readonly<Record<string, RegExp>> = {
  'xz-utils': /tar \(child\): xz: Cannot exec/,
  curl: /curl: not found/,
  libatomic1: /libatomic\.so\.1: cannot open shared object file/,
}

test.skipIf(!hasDebian).each(Object.entries(WITHOUT))(
  `without %s a command of the page fails ${NEEDED}`,
  async (name, failure) => {
    expect(pagePackages()).toContain(name)
    expect(pagePackages()).toHaveLength(Object.keys(WITHOUT).length)
    const root = await copyOfDebian()
    execFileSync('chroot', [root, 'dpkg', '--purge', '--force-depends', name], { stdio: 'ignore' })
    await expect(follow(root)).rejects.toThrow(failure)
  },
)

test('a clone serves the demo as the page says', async () => {
  expect(page).toContain('\n```text\nnpm ci\nnpm start\n```\n')
  const folder = mkdtempSync(join(inject('runFolder'), 'start-'))
  const own = { TAPEHOUSE_LAKE: join(folder, 'lake'), TAPEHOUSE_TOKENS: join(folder, 'tokens.json') }
  const ports = { TAPEHOUSE_PORT: '0', TAPEHOUSE_ADMIN_PORT: '0', NO_PROXY: '127.0.0.1' }
  const shell = openShell(await releasedClone(), { ...inherited(), ...SMALL, ...own, ...ports })
  // npm ends with 130 when it is interrupted.
  const output = await shell.start('npm start || [ $? = 130 ]', written =>
    /metrics.*\n[\s\S]*Press/.test(written),
  )
  const [, token = '', address = ''] = /'Authorization: Bearer (\S+)' '(\S+)'/.exec(output) ?? []
  const { status } = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
  expect(status).toBe(200)
  await shell.interrupt()
})
