import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { folderForTest } from '../../fixtures/lake.ts'
import { texts } from '../../fixtures/resources.ts'

const releases = fileURLToPath(new URL('../../fixtures/lakes/', import.meta.url))
const BARS = 'sql/schema/daily_bars.sql'
const DAYS = 'sql/schema/stock_days.sql'

/** The program with other texts of some files: modules of their own, since the schemas are read once. */
async function program(changed: Readonly<Record<string, (sql: string) => string>> = {}) {
  vi.resetModules()
  const { replaceResources } = await import('../../../src/engine/resources.ts')
  const replaced = replaceResources({
    ...texts,
    read: path => (changed[path] ?? ((text: string) => text))(texts.read(path)),
  })
  onTestFinished(() => {
    replaceResources(replaced)
    vi.resetModules()
  })
  const { writerForTest, silent } = await import('./days.ts')
  const { change } = await import('../derive/derived-lake.ts')
  const { engineFor } = await import('../../fixtures/service.ts')
  const { loadSnapshot } = await import('../../../src/lake/store/snapshot.ts')
  const { verify } = await import('../../../src/lake/maintain/verify.ts')
  const { compact } = await import('../../../src/lake/maintain/compact.ts')
  const { upgradeLake } = await import('../../../src/lake/maintain/upgrade.ts')
  const { keepSnapshot } = await import('../../../src/lake/snapshots/kept.ts')
  const { plainTemplate } = await import('../../../src/operations/answering/plain-sql.ts')

  /** The rows of a dataset in a snapshot, as an operation's template reads them, and the SQL for other clients. */
  async function read(lake: string, dataset: string, select: string, number?: number) {
    const engine = await engineFor(lake)
    onTestFinished(() => engine.close())
    const snapshot = await loadSnapshot(lake, number)
    const sql = `SELECT ${select} AS row FROM read_parquet($${dataset}, hive_partitioning = false) ORDER BY row`
    const template = { name: 'test', sql, parameters: [dataset] }
    const bindings = { [dataset]: engine.bindFiles(dataset, snapshot.files(dataset)) }
    const query = { operation: 'test', template, bindings }
    const { bytes } = await engine.encode(query, 'ndjson', new AbortController().signal)
    const rows = Buffer.from(bytes).toString().trimEnd().split('\n')
    return {
      rows: rows.map(line => String(JSON.parse(line).row)),
      sql: plainTemplate(template, bindings, new Map([[dataset, snapshot.files(dataset)]])),
    }
  }
  return {
    writerForTest,
    silent,
    change,
    engineFor,
    loadSnapshot,
    verify,
    compact,
    upgradeLake,
    keepSnapshot,
    read,
  }
}

const bar = (day: string, close: number, more = '') =>
  `SELECT 'A' AS ticker, DATE '${day}' AS date, ${close} AS close${more}`

/** A lake of two days of bars, made by the program as it is. */
async function lakeOfTwoDays() {
  const lake = join(folderForTest(), 'lake')
  const { writerForTest, change } = await program()
  const writer = await writerForTest(lake)
  await change(writer, lake, { daily_bars: `${bar('2024-01-03', 1)} UNION ALL ${bar('2024-01-30', 2)}` })
  return lake
}

/** The schema of daily_bars with one more column at its end. */
const added = (column: string) => (sql: string) =>
  sql.replace(
    /volume BIGINT {2,}(--.*)\n\);/,
    `volume BIGINT, $1\n  ${column}  -- since 9.9.0: what a test added\n);`,
  )

const ROW = `concat_ws(' ', ticker, date, close::DOUBLE, coalesce(note, 'none'))`

test('files without an added column are read with NULL in it, beside files that have it and in earlier snapshots', {
  tags: 'slow',
}, async () => {
  const lake = await lakeOfTwoDays()
  const later = await program({ [BARS]: added('note VARCHAR') })
  const writer = await later.writerForTest(lake)
  const before = ['A 2024-01-03 1.0 none', 'A 2024-01-30 2.0 none']
  expect((await later.read(lake, 'daily_bars', ROW)).rows).toEqual(before)

  await later.change(writer, lake, { daily_bars: bar('2024-01-30', 3, `, 'checked' AS note`) })
  const after = ['A 2024-01-03 1.0 none', 'A 2024-01-30 3.0 checked']
  const { rows, sql } = await later.read(lake, 'daily_bars', ROW)
  expect(rows).toEqual(after)
  expect((await later.read(lake, 'daily_bars', ROW, 1)).rows).toEqual(before)
  expect(await later.verify(writer, lake, later.silent)).toMatchObject({ problems: [], stale: new Map() })
  // Other clients get the same from SQL alone.
  const plain = (await writer.rows(sql)).map(({ row }) => row)
  expect(plain).toEqual(after)
  const older = await later.read(lake, 'daily_bars', ROW, 1)
  expect((await writer.rows(older.sql)).map(({ row }) => row)).toEqual(before)

  await later.change(writer, lake, { daily_bars: bar('2024-02-01', 4) })
  expect((await later.compact(writer, lake, later.silent)).merged).toMatchObject([
    { dataset: 'daily_bars', partition: '2024-01' },
    { dataset: 'stock_days' },
  ])
  expect((await later.read(lake, 'daily_bars', ROW)).rows).toEqual([...after, 'A 2024-02-01 4.0 none'])
  expect((await later.read(lake, 'daily_bars', ROW)).sql).not.toContain('union_by_name')
})

test('files with a narrower type are read with the wider one', async () => {
  const lake = await lakeOfTwoDays()
  const wide = (sql: string) =>
    sql.replace('close DECIMAL(18, 6) NOT NULL, ', 'close DECIMAL(24, 8) NOT NULL, ')
  const later = await program({ [BARS]: wide })
  expect((await later.read(lake, 'daily_bars', 'concat(typeof(close), close)')).rows).toEqual([
    'DECIMAL(24,8)1.00000000',
    'DECIMAL(24,8)2.00000000',
  ])
})

test.each([
  [
    'a required column',
    (sql: string) => added('note VARCHAR NOT NULL')(sql).replace('since 9.9.0: ', ''),
    /no column note, which must not be NULL/,
  ],
  [
    'a narrower type',
    (sql: string) => sql.replace('volume BIGINT ', 'volume INTEGER'),
    /column volume of type BIGINT, which does not convert to INTEGER without loss/,
  ],
  [
    'a removed column',
    (sql: string) => sql.replace(/ {2}open .*\n/, ''),
    /column open, which this version does not have/,
  ],
])('%s is refused by name', async (_, schema, message) => {
  const lake = await lakeOfTwoDays()
  const later = await program({ [BARS]: schema })
  await expect(later.loadSnapshot(lake)).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringMatching(message),
  })
})

test('a derived dataset with other columns is refused until it is computed again, in kept snapshots too', async () => {
  const lake = await lakeOfTwoDays()
  const now = await program()
  await now.keepSnapshot(lake, 'first')
  await now.change(await now.writerForTest(lake), lake, { daily_bars: bar('2024-01-30', 3) })

  const later = await program({
    [DAYS]: sql =>
      sql.replace(
        /week52_low DECIMAL\(18, 6\) {2,}(--.*)\n\);/,
        'week52_low DECIMAL(18, 6), $1\n  note VARCHAR  -- since 9.9.0: what a test added\n);',
      ),
  })
  const refusal = {
    code: 'lake_older',
    message: expect.stringMatching(/stock_days .* run "tapehouse upgrade-lake"$/),
  }
  for (const number of [1, 2]) await expect(later.loadSnapshot(lake, number)).rejects.toMatchObject(refusal)
  const writer = await later.writerForTest(lake)
  expect(await later.upgradeLake(writer, lake, later.silent)).toEqual({
    snapshot: 3,
    datasets: [
      { dataset: 'price_adjustments', carried: 0, computed: 2 },
      { dataset: 'stock_days', carried: 0, computed: 2 },
    ],
    kept: ['first'],
  })
  const row = `concat_ws(' ', ticker, date, close::DOUBLE, coalesce(note, 'none'))`
  expect((await later.read(lake, 'stock_days', row)).rows).toEqual([
    'A 2024-01-03 1.0 none',
    'A 2024-01-30 3.0 none',
  ])
  expect((await later.read(lake, 'stock_days', row, 1)).rows).toEqual([
    'A 2024-01-03 1.0 none',
    'A 2024-01-30 2.0 none',
  ])
  await expect(later.loadSnapshot(lake, 2)).rejects.toMatchObject(refusal)
  expect(await later.verify(writer, lake, later.silent)).toMatchObject({ problems: [], stale: new Map() })
})

test('columns that are computed from the others are read from files that lack them, and from plain SQL', async () => {
  const lake = join(folderForTest(), 'lake')
  mkdirSync(lake)
  execFileSync('tar', ['-xzf', join(releases, '0.1.0/lake.tar.gz'), '-C', lake])
  const now = await program()
  const row = `concat_ws(' ', option_symbol, bid_ask_vol, bull_bear_vol, oi_change)`
  const byHand = `concat_ws(' ', option_symbol, ask_side_volume - bid_side_volume,
    (ask_side_volume - bid_side_volume) * if(option_type = 'put', -1, 1), open_interest - prev_oi)`
  const { rows, sql } = await now.read(lake, 'contract_days', row)
  expect(rows).toEqual((await now.read(lake, 'contract_days', byHand)).rows)
  expect(rows.filter(each => / -?[1-9]\d* -?[1-9]/.test(each)).length).toBeGreaterThan(10)
  const writer = await now.writerForTest(lake)
  // The writer has the macros that come first.
  expect((await writer.rows(sql.split(/;\n\n/).at(-1) ?? '')).map(each => each.row)).toEqual(rows)
  const alerts = await now.read(lake, 'flow_alerts', 'leading_side')
  expect(new Set(alerts.rows).size).toBeGreaterThan(1)

  await now.upgradeLake(writer, lake, now.silent)
  expect((await now.read(lake, 'contract_days', row)).rows).toEqual(rows)
})

test('the files of format 1 are known by the hash of their columns', { tags: 'slow' }, async () => {
  const lake = join(folderForTest(), 'lake')
  mkdirSync(lake)
  execFileSync('tar', ['-xzf', join(releases, '0.1.0/lake.tar.gz'), '-C', lake])
  const later = await program({ [BARS]: added('note VARCHAR') })
  const { rows } = await later.read(lake, 'daily_bars', `coalesce(note, 'none')`)
  expect([rows.length, new Set(rows)]).toEqual([33, new Set(['none'])])
  const writer = await later.writerForTest(lake)
  await later.upgradeLake(writer, lake, later.silent)
  expect((await later.read(lake, 'daily_bars', `coalesce(note, 'none')`)).rows).toEqual(rows)
  const [day = ''] = readdirSync(join(lake, 'manifests/daily_bars'))
  const [name = ''] = readdirSync(join(lake, 'manifests/daily_bars', day))
  const manifest = JSON.parse(readFileSync(join(lake, 'manifests/daily_bars', day, name), 'utf8'))
  expect(Object.keys(manifest.columns)).toEqual([
    'ticker',
    'date',
    'open',
    'high',
    'low',
    'close',
    'adjusted_close',
    'volume',
  ])

  // A hash that no version had is not guessed.
  const other = await program({ [BARS]: sql => added('note VARCHAR')(sql).replace('since 9.9.0: ', '') })
  const fresh = join(folderForTest(), 'lake')
  mkdirSync(fresh)
  execFileSync('tar', ['-xzf', join(releases, '0.1.0/lake.tar.gz'), '-C', fresh])
  await expect(other.loadSnapshot(fresh)).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringMatching(/daily_bars have columns that no version had/),
  })
})
