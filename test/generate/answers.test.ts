import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { files } from '../../src/engine/bind.ts'
import { openWriter, type Writer } from '../../src/engine/writer.ts'
import { datasets } from '../../src/lake/datasets.ts'
import { generate } from '../../src/lake/generate.ts'
import { loadSnapshot, type Snapshot } from '../../src/lake/snapshot.ts'
import { verify } from '../../src/lake/verify.ts'
import { RECORD_FIELDS } from '../../src/operations/record-fields.ts'
import { temporaryFolder } from '../fixtures/lake.ts'

/** A whole lake as `generate` makes it, with what derives from it. */
const folder = temporaryFolder()
const lake = join(folder, 'lake')
let writer: Writer
let snapshot: Snapshot

beforeAll(async () => {
  writer = await openWriter({ directories: [folder], threads: 2 })
  await generate(writer, lake, { seed: 7, days: 3, tickers: 30, tradesPerDay: 5000 }, () => {})
  snapshot = await loadSnapshot(lake)
}, 300_000)
afterAll(() => {
  writer.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Columns that hold no value in any row of a generated lake, and why. */
const EMPTY_ON_PURPOSE: Readonly<Record<string, string>> = {}

/** Datasets that a generated lake does not hold, and why. */
const NOT_MADE: Readonly<Record<string, string>> = {
  chain_frags: 'no operation reads them; the stream will derive them',
}

/** Columns without a value in any row. */
async function emptyColumns(name: string): Promise<string[]> {
  const columns = datasets().get(name)?.columns ?? []
  const [row = {}] = await writer.rows(
    `SELECT ${columns.map(each => `count("${each.name}") AS "${each.name}"`).join(', ')}
     FROM read_parquet($paths, hive_partitioning = false)`,
    { paths: files(snapshot.files(name).map(({ path }) => path)) },
  )
  return columns.flatMap(each => (row[each.name] === '0' ? [`${name}.${each.name}`] : []))
}

test('a generated lake holds every dataset, whole and fresh', async () => {
  const { datasets: held, problems, stale } = await verify(writer, lake, () => {})
  expect({ problems, stale }).toEqual({ problems: [], stale: new Map() })
  const missing = [...datasets().keys()].filter(name => !held.some(({ dataset }) => dataset === name))
  expect(missing).toEqual(Object.keys(NOT_MADE))
})

test('no column is empty throughout without a reason', async () => {
  const empty: string[] = []
  for (const name of datasets().keys()) if (!(name in NOT_MADE)) empty.push(...(await emptyColumns(name)))
  expect(empty.toSorted()).toEqual(Object.keys(EMPTY_ON_PURPOSE).toSorted())
})

describe('each operation has something to answer on its last day:', () => {
  test.each(RECORD_FIELDS.map(({ id, dating }) => [id, dating] as const))('%s', async (_, dating) => {
    for (const name of dating) {
      const last = snapshot.lastDate(name)
      expect(last, name).not.toBeNull()
      expect(snapshot.files(name, { from: last ?? '', to: last ?? '' }).length, name).toBeGreaterThan(0)
    }
  })
})
