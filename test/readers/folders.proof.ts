import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWriter } from '../../src/engine/writer.ts'
import { upgradeLake } from '../../src/lake/maintain/upgrade.ts'
import { verify } from '../../src/lake/maintain/verify.ts'
import { MARKER_TEXT, markerName } from '../../src/lake/store/layout.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { countCases } from '../fixtures/tier.ts'
import { day, landDays, silent } from '../lake/store/days.ts'

/** Other readers count the rows of the folders of a lake: the script shares nothing with the program. */

const tools = process.env.TAPEHOUSE_READER_TOOLS
const script = fileURLToPath(new URL('folders.py', import.meta.url))
const archive = fileURLToPath(new URL('../fixtures/lakes/0.1.0/lake.tar.gz', import.meta.url))
const folder = temporaryFolder()
const lake = join(folder, 'lake')
const run = promisify(execFile)
const READERS = 8

type Counts = Readonly<Record<string, Readonly<Record<string, number | 'refused'>>>>

describe.skipIf(tools === undefined)('with the reader tools, the folder of a dataset', () => {
  /** Rows by dataset, as `verify` counts them. */
  let rows: ReadonlyMap<string, number>

  beforeAll(async () => {
    mkdirSync(lake)
    // All datasets of a generated market, whose bars were imported again: files of earlier snapshots are in the lake.
    execFileSync('tar', ['-xzf', archive, '-C', lake])
    const writer = await openWriter({ directories: [lake] })
    await upgradeLake(writer, lake, silent)
    await landDays(writer, lake, [day('ACME', '2024-12-31', '12'), day('NEW', '2025-01-02', '1')])
    const { datasets, problems } = await verify(writer, lake, silent)
    expect(problems).toEqual([])
    rows = new Map(datasets.map(each => [each.dataset, each.rows]))
    writer.close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const count = async (datasets: readonly string[]): Promise<Counts> => {
    const python = join(tools ?? '', 'venv/bin/python')
    const { stdout } = await run(python, ['-B', script, lake, ...datasets], { maxBuffer: 2 ** 26 })
    return JSON.parse(stdout)
  }

  test('has as many rows for each reader as verify counts, after files were replaced', async () => {
    const found = await count([...rows.keys()])
    countCases(rows.size * READERS)
    expect(rows.size).toBe(36)
    expect(readdirSync(join(lake, 'superseded/daily_bars/2024-12-31')).length).toBeGreaterThan(0)
    for (const [dataset, expected] of rows) {
      const { pandas, ...others } = found[dataset] ?? {}
      expect(Object.values(others), dataset).toEqual(new Array(READERS - 1).fill(expected))
      // pandas' own types have no list of UUIDs: docs/lake.md names the option.
      expect(pandas, dataset).toBe(dataset === 'flow_alerts' ? 'refused' : expected)
    }
  })

  test('is refused by each reader while a publish moves files in it', async () => {
    const [marked, other] = ['daily_bars', 'stock_days']
    writeFileSync(join(lake, marked, '2024-12-31', markerName('0a1b2c3d')), MARKER_TEXT)
    const found = await count([marked, other])
    countCases(READERS)
    expect(Object.values(found[marked] ?? {})).toEqual(new Array(READERS).fill('refused'))
    expect(Object.values(found[other] ?? {})).toEqual(new Array(READERS).fill(rows.get(other)))
  })
})
