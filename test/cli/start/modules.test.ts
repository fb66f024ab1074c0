import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { folderForTest } from '../../fixtures/lake.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { tapehouse } from '../process.ts'

const recorder = pathToFileURL(fileURLToPath(new URL('record-modules.mjs', import.meta.url))).href

interface Loaded {
  /** The code of every module. */
  readonly code: string
  readonly engine: boolean
}

/** What a command loads. */
async function loadedBy(...args: readonly string[]): Promise<Loaded> {
  const list = join(folderForTest(), 'loaded')
  const NODE_OPTIONS = `--import=${recorder}`
  const { code, stderr } = await tapehouse(args, { NODE_OPTIONS, LOADED: list })
  expect(stderr.replace(/^note: .*\n/gm, '')).toBe('')
  expect(code).toBe(0)
  const lines = readFileSync(list, 'utf8').trimEnd().split('\n')
  const files = lines.filter(line => line.startsWith('file:'))
  expect(files.length).toBeGreaterThan(1)
  return {
    code: files.map(url => readFileSync(fileURLToPath(url), 'utf8')).join('\n'),
    engine: lines.includes('libduckdb'),
  }
}

/** Text that only the code of the package contains, or that loads it. */
const HTTP = /FST_ERR_|require\(["'`]fastify["'`]\)/
const ARROW = /RecordBatchStreamWriter|require\(["'`]apache-arrow["'`]\)/

let lake: string
beforeAll(async () => {
  lake = await sharedMarket('whole')
})

it('loads neither the server nor Arrow for a query, and Arrow for one in its format', async () => {
  const args = ['query', 'oi-per-expiry', '--ticker', 'ACME', '--lake', lake, '--format']
  const [json, arrow] = await Promise.all([loadedBy(...args, 'json'), loadedBy(...args, 'arrow')])
  expect(json.engine).toBe(true)
  expect(json.code).not.toMatch(HTTP)
  expect(json.code).not.toMatch(ARROW)
  expect(arrow.code).toMatch(ARROW)
})

it('does not load the engine for --version and help', async () => {
  for (const args of [['--version'], ['--help'], ['serve', '--help']]) {
    const loaded = await loadedBy(...args)
    expect(loaded.engine, args.join(' ')).toBe(false)
    expect(loaded.code).not.toMatch(ARROW)
  }
})
