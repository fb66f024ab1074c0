import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../fixtures/lake.ts'
import { goldenLake } from '../golden/lake.ts'
import { tapehouseHere } from './in-process.ts'

const folder = temporaryFolder()
let lake: string
beforeAll(async () => {
  const source = fileURLToPath(new URL('../golden/flow-alerts/pages', import.meta.url))
  const { snapshot, engine } = await goldenLake(source, folder)
  await engine.close()
  lake = snapshot.lake
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const query = (...args: string[]) => tapehouseHere(['query', 'flow-alerts', '--lake', lake, ...args])

/** One page after the other, each with the flags that the note about the page before names. */
async function tickersOfPages(...args: string[]): Promise<string[]> {
  const pages: string[] = []
  for (let flags: string[] | null = []; flags !== null; ) {
    const { code, stdout, stderr } = await query(...args, '--format', 'ndjson', ...flags)
    expect(code, stderr).toBe(0)
    const lines = String(stdout).trim().split('\n')
    pages.push(lines.map(line => JSON.parse(line).ticker).join(' '))
    const [, next] = /^note: there are more records: continue with (--.+)$/m.exec(stderr) ?? []
    flags = next?.split(' ') ?? null
  }
  return pages
}

test('query says on standard error how to go on, and ends without a note', async () => {
  expect(await tickersOfPages('--limit', '2')).toEqual(['A', 'B1 B2', 'B3 C', 'D E'])
  expect((await query('--limit', '1')).stderr).toContain('--older-than 2024-01-05T15:00:03Z\n')
  expect((await query('--limit', '7')).stderr).toBe('')
})

test.each([
  [[], 'A'],
  [['--older-than', '2024-01-05T15:00:02Z/1'], 'B2 B3'],
  [['--older-than', '2024-01-05T15:00:02Z'], 'C D'],
])('the SQL of a page with %j returns its rows in any DuckDB client', async (flags, tickers) => {
  const { stdout } = await query('--sql', '--limit', '2', ...flags)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const reader = await connection.runAndReadAll(String(stdout))
  expect(reader.columnNames().at(-1)).toBe('has_singleleg')
  expect(
    reader
      .getRowObjects()
      .map(({ ticker }) => ticker)
      .join(' '),
  ).toBe(tickers)
  connection.closeSync()
  instance.closeSync()
})
