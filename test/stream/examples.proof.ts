import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { files } from '../../src/engine/bind.ts'
import { openWriter } from '../../src/engine/writer.ts'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'
import { DAY_OVER_MS, oneDay, socketServer } from '../api/socket/clients.ts'
import { temporaryFolder } from '../fixtures/lake.ts'

/** Each example hears the whole day of one ticker, from a server whose tape begins once it has joined. */

const TICKER = 'ACME'
const CHANNEL = `chain_frags:${TICKER}`
const tools = process.env.TAPEHOUSE_STREAM_TOOLS
const CHROMIUM = '/usr/bin/chromium'
const folder = temporaryFolder()
const examples = new URL('../../examples/stream/', import.meta.url).pathname
const proto = new URL('../../src/stream/', import.meta.url).pathname
let lake: string
/** The stored frags of the ticker: contract and start, then volume, close and premium. */
const stored = new Map<string, string[]>()
let trades = 0

beforeAll(async () => {
  lake = await oneDay()
  const snapshot = await loadSnapshot(lake)
  const paths = (name: string) => files(snapshot.files(name).map(({ path }) => path))
  const writer = await openWriter({ directories: [lake] })
  const frags = await writer.rows(
    `SELECT option_symbol, epoch_ms(start_time)::VARCHAR AS start, volume::VARCHAR AS volume, close, premium, trades
     FROM read_parquet($frags, hive_partitioning = false) WHERE underlying_symbol = '${TICKER}'`,
    { frags: paths('chain_frags') },
  )
  writer.close()
  for (const { option_symbol: contract, start, volume, close, premium, trades: own } of frags) {
    stored.set(`${contract} ${start}`, [String(volume), String(close), String(premium)])
    trades += Number(own)
  }
  expect(stored.size).toBeGreaterThan(50)
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the page's table shows, run in the browser. */
const SHOWN = `[...document.querySelectorAll('tbody tr')].map(row => ({
  key: row.dataset.key,
  cells: [...row.cells].map(cell => cell.textContent),
}))`

/** The compiler's Python and Go code, as the examples say. */
function compile(...flags: readonly string[]): void {
  const path = `${tools}/bin:${process.env.PATH}`
  const protoc = ['-m', 'grpc_tools.protoc', '-I', proto, ...flags, 'tapehouse.proto']
  execFileSync(join(tools ?? '', 'venv/bin/python'), protoc, { env: { ...process.env, PATH: path } })
}

/** Runs an example until it has heard of every trade, and answers its last line for each frag. */
async function lastLines(
  command: string,
  args: (url: string) => readonly string[],
): Promise<Map<string, string[]>> {
  const server = await socketServer(folder, lake)
  try {
    const child = spawn(command, args(`ws://127.0.0.1:${server.port}/api/socket`), {
      env: { ...process.env, TAPEHOUSE_TOKEN: server.token },
    })
    let printed = ''
    let output = ''
    child.stdout.on('data', bytes => {
      printed += bytes
    })
    child.stderr.on('data', bytes => {
      output += bytes
      if (output.includes(`joined ${CHANNEL}`)) server.elapse(DAY_OVER_MS)
    })
    const code = await new Promise(resolve => child.on('close', resolve))
    expect(code, output).toBe(0)
    const lines = printed.trim().split('\n')
    expect(lines.length).toBe(trades)
    return new Map(
      lines.map(line => {
        const [contract, start, ...rest] = line.split(' ')
        return [`${contract} ${start}`, rest]
      }),
    )
  } finally {
    await server.close()
  }
}

describe.skipIf(tools === undefined)('with the stream tools, the example in', () => {
  test('Python prints the frags of a ticker as they are stored, in the end', async () => {
    compile(`--python_out=${folder}`)
    cpSync(join(examples, 'listen.py'), join(folder, 'listen.py'))
    const python = join(tools ?? '', 'venv/bin/python')
    const args = (url: string) => [join(folder, 'listen.py'), url, CHANNEL, '--count', String(trades)]
    expect(await lastLines(python, args)).toEqual(stored)
  }, 60_000)

  test('Go does', async () => {
    const own = join(folder, 'go')
    cpSync(join(examples, 'go'), own, { recursive: true })
    compile(`--go_out=${own}`, '--go_opt=module=tapehouse')
    execFileSync('go', ['build', '-o', 'listen', '.'], { cwd: own })
    const args = (url: string) => [url, CHANNEL, String(trades)]
    expect(await lastLines(join(own, 'listen'), args)).toEqual(stored)
  }, 120_000)
})

test.skipIf(!existsSync(CHROMIUM))(
  'the example for the browser, in chromium, shows frags as they are stored',
  async () => {
    const server = await socketServer(folder, lake)
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    try {
      const page = await browser.newPage()
      await page.goto(pathToFileURL(join(examples, 'listen.html')).href)
      await page.fill('#url', `ws://127.0.0.1:${server.port}/api/socket`)
      await page.fill('#token', server.token)
      await page.fill('#channel', CHANNEL)
      await page.click('button')
      await page.getByText(`Joined ${CHANNEL}.`).waitFor()
      server.elapse(DAY_OVER_MS)
      await page.locator('#heard', { hasText: new RegExp(`^${trades}$`) }).waitFor()
      const rows: { key: string; cells: string[] }[] = await page.evaluate(SHOWN)
      expect(rows.length).toBe(15)
      // Contract, interval, volume, last price, premium, day volume.
      for (const { key, cells } of rows) expect(cells.slice(2, 5)).toEqual(stored.get(key))
    } finally {
      await browser.close()
      await server.close()
    }
  },
  60_000,
)
