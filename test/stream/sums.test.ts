import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { tapehouse } from '../cli/process.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { fragLake } from './frag-lake.ts'
import { parquetRows } from './parquet-rows.ts'
import { installed, placeProto, protoc, runPython } from './stream-tools.ts'

const program = fileURLToPath(new URL('../../examples/stream/sums.py', import.meta.url))

const SUMS = `
  sum(size)::BIGINT AS volume,
  count(*) AS trades,
  sum(premium)::VARCHAR AS premium,
  sum(ask_vol)::BIGINT AS ask,
  sum(bid_vol)::BIGINT AS bid,
  sum(mid_vol)::BIGINT AS mid,
  sum(no_side_vol)::BIGINT AS no_side,
  sum(multi_vol)::BIGINT AS multileg,
  sum(stock_multi_vol)::BIGINT AS stock_multi_leg,
  coalesce(sum(size) FILTER (upstream_condition_detail IN ('slft', 'mlft', 'mfsl', 'tlft', 'tfsl')), 0)::BIGINT AS floor,
  coalesce(sum(size) FILTER (upstream_condition_detail = 'isoi'), 0)::BIGINT AS sweep,
  coalesce(sum(size) FILTER (upstream_condition_detail IN ('slcn', 'slci', 'mlct', 'tlct')), 0)::BIGINT AS "cross",
  count(DISTINCT (option_chain_id, epoch_us(executed_at) // 300000000)) AS frags`

test.skipIf(!installed)(
  'a replayed day has the sums of its trades, as Python’s protobuf runtime reads it (stream tools)',
  async () => {
    const market = await fragLake()
    const folder = folderForTest()
    placeProto(folder)
    mkdirSync(join(folder, 'generated'))
    expect(await protoc(folder, ['tapehouse.proto'], [`--python_out=${join(folder, 'generated')}`])).toBe('')
    const file = join(folder, 'day.bin')
    const ended = await tapehouse(['stream', '--lake', market.lake, '--speed', 'max', '--output', file])
    expect([ended.code, ended.stderr]).toEqual([0, 'note: all data of this lake are synthetic\n'])
    const read = JSON.parse(await runPython([program, join(folder, 'generated'), file]))

    const where = `FROM rows WHERE date = '${market.day}' AND NOT canceled`
    const inAll = await parquetRows(market.snapshot, 'option_trades', `SELECT ${SUMS} ${where}`)
    const byRoot = await parquetRows(
      market.snapshot,
      'option_trades',
      `SELECT left(option_chain_id, -15) AS ticker, ${SUMS} ${where} GROUP BY ALL`,
    )
    await market.close()
    // JSON of DuckDB's has text for 64 bits; premium is text in both.
    const numbers = (row: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, name === 'premium' ? value : Number(value)]),
      )
    expect(read.all).toEqual(numbers(inAll[0] ?? {}))
    expect(read.all.volume).toBeGreaterThan(10_000)
    const expected = Object.fromEntries(byRoot.map(({ ticker, ...row }) => [ticker, numbers(row)]))
    expect(read.tickers).toEqual(expected)
    expect(Object.keys(expected).length).toBeGreaterThan(3)
  },
)
