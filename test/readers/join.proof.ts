import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'
import { tapehouseHere } from '../cli/in-process.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { importOptionDays } from '../fixtures/option-days.ts'

/** Other readers join a stored file with an answer: the script shares nothing with the program. */

const tools = process.env.TAPEHOUSE_READER_TOOLS
const script = fileURLToPath(new URL('join.py', import.meta.url))
const folder = temporaryFolder()
const run = promisify(execFile)
const DATE = '2024-01-11'
let stored: string

describe.skipIf(tools === undefined)('with the reader tools', () => {
  beforeAll(async () => {
    // Three trades in one contract, and one in another that the answer does not have.
    const lake = await importOptionDays(folder, [{ date: DATE, trades: { ACME: 2 }, repeated: 3 }])
    const [file] = (await loadSnapshot(lake)).files('option_trades')
    stored = file?.path ?? ''
    for (const format of ['parquet', 'arrow']) {
      const { stdout, stderr } = await tapehouseHere([
        ...['query', 'contract-flow', '--id', 'ACME241220C00100000', '--date', DATE],
        ...['--format', format, '--lake', lake],
      ])
      expect(stderr).toBe('')
      writeFileSync(join(folder, `answer.${format}`), stdout)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const joined = async (reader: string, answer: string) => {
    const { stdout } = await run(join(tools ?? '', 'venv/bin/python'), ['-B', script, reader, stored, answer])
    return stdout.trim()
  }
  const readers = ['pandas', 'polars', 'pyarrow', 'duckdb']

  test.each(readers.flatMap(reader => ['parquet', 'arrow'].map(format => [reader, format] as const)))(
    '%s joins a stored file with an answer as %s, by id and on the same instant',
    async (reader, format) => {
      expect(await joined(reader, join(folder, `answer.${format}`))).toBe(
        '3 rows in the answer, 3 joined, 3 with the same time and price',
      )
    },
  )

  test('the script rejects a file whose times have no zone', async () => {
    await expect(joined('pyarrow', stored)).rejects.toThrow('AssertionError')
  })
})
