import { expect, test } from 'vitest'
import { files } from '../../../src/engine/bind.ts'
import { openWriter } from '../../../src/engine/writer.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { importing } from './importing.ts'

const HEADER = 'ticker,date,executed_at,sequence,price,size,exchange,canceled'
const CSV = { format: 'csv-stock_trades' }

/** Trades in an order of no use: every 7,919th of them, around and around. 7,919 is a prime, so each comes once. */
function trades(count: number, dates: readonly string[]): string[] {
  return Array.from({ length: count }, (_, index) => {
    const place = (index * 7919) % count
    const second = String(place % 60).padStart(2, '0')
    const date = dates[place % dates.length]
    return `T${place % 300},${date},${date} 14:30:${second},${place},1.5,${index + 1},D,false`
  })
}

/** The lake's files, which are named by their content, in the order of the snapshot. */
const filesOf = async (lake: string) =>
  (await loadSnapshot(lake)).files('stock_trades').map(({ path }) => path.slice(lake.length))

/** The number of rows before one that the schema's sort and key put before them, and the number of rows. */
async function disorder(lake: string): Promise<string[]> {
  const paths = (await loadSnapshot(lake)).files('stock_trades').map(({ path }) => path)
  const writer = await openWriter({ directories: [lake] })
  try {
    const [row = {}] = await writer.rows(
      `WITH placed AS (
         SELECT
           (ticker, executed_at, sequence) AS place,
           lag((ticker, executed_at, sequence)) OVER (PARTITION BY date ORDER BY filename, file_row_number) AS former,
           lag(filename) OVER (PARTITION BY date ORDER BY filename, file_row_number) = filename AS same_file
         FROM read_parquet($paths, filename = true, file_row_number = true, hive_partitioning = false)
       )
       SELECT count(*) FILTER (WHERE same_file AND place <= former)::VARCHAR AS disordered, count(*)::VARCHAR AS number
       FROM placed`,
      { paths: files(paths) },
    )
    return [String(row.disordered), String(row.number)]
  } finally {
    writer.close()
  }
}

/** 250,000 trades of those days in one file and in two: the second way keeps the order of the files until the end. */
async function importedBothWays(dates: readonly string[]) {
  const rows = trades(250_000, dates)
  const [whole, parted] = [importing(), importing()]
  const report = await whole.import([whole.file('a.csv', [HEADER, ...rows])], { ...CSV, threads: 4 })
  expect(report).toMatchObject({ rows: 250_000, rejected: 0 })
  expect(await disorder(whole.lake)).toEqual(['0', '250000'])
  const two = [rows.slice(0, 100_000), rows.slice(100_000)].map((part, index) =>
    parted.file(`${index}.csv`, [HEADER, ...part]),
  )
  await parted.import(two, { ...CSV, threads: 1 })
  return { whole, parted }
}

test('the rows of a day make the same files, sorted, whether they come in one file or in several', {
  tags: 'slow',
}, async () => {
  const { whole, parted } = await importedBothWays(['2024-01-03'])
  expect(await filesOf(whole.lake)).toEqual(await filesOf(parted.lake))
  // At 102,400 rows a file.
  expect(await filesOf(whole.lake)).toHaveLength(3)
})

test('the rows of several days are the same, sorted, whether they come in one file or in several', {
  tags: 'slow',
}, async () => {
  const { whole, parted } = await importedBothWays(['2024-01-03', '2024-01-04'])
  const days = 'SELECT date, count(*), sum(hash(bars)::HUGEINT) FROM bars GROUP BY date ORDER BY date'
  const found = await whole.rows(days, 'stock_trades')
  expect(found.map(row => row.slice(0, 17))).toEqual(['2024-01-03 125000', '2024-01-04 125000'])
  expect(found).toEqual(await parted.rows(days, 'stock_trades'))
  const sizes = (await loadSnapshot(whole.lake)).files('stock_trades').map(({ rows }) => rows)
  expect(sizes).toEqual([102_400, 22_600, 102_400, 22_600])
})

test('of two rows with the same key in a file of one day the later one stays, even if the other sorts after it', async () => {
  const run = importing()
  const again = (size: number, time: string) => `T7,2024-01-03,2024-01-03 ${time},7,2.5,${size},D,false`
  const rows = trades(150_000, ['2024-01-03'])
  const path = run.file('a.csv', [HEADER, again(111, '15:00:00'), ...rows, again(222, '09:30:00')])
  expect(await run.import([path], { ...CSV, threads: 4 })).toMatchObject({ rows: 150_000, rejected: 0 })
  expect(run.notices()).toContain('2 rows were replaced by later rows with the same key')
  expect(
    await run.rows(`SELECT size, price FROM bars WHERE ticker = 'T7' AND sequence = 7`, 'stock_trades'),
  ).toEqual(['222 2.500000'])
  expect(await run.rows('SELECT count(*) FROM bars', 'stock_trades')).toEqual(['150000'])
  expect(await disorder(run.lake)).toEqual(['0', '150000'])
})

test('a file of a day that is stored already replaces what it has and leaves the rest, in order', async () => {
  const run = importing()
  const rows = trades(3000, ['2024-01-03'])
  const changed = rows.slice(0, 500).map(row => row.replace(',1.5,', ',9.5,'))
  await run.import([run.file('a.csv', [HEADER, ...rows])], CSV)
  await run.import([run.file('b.csv', [HEADER, ...changed])], CSV)
  expect(
    await run.rows('SELECT price, count(*) FROM bars GROUP BY price ORDER BY price', 'stock_trades'),
  ).toEqual(['1.500000 2500', '9.500000 500'])
  expect(await disorder(run.lake)).toEqual(['0', '3000'])
})

test('rows with the same key in a file that is not plain are replaced as in one that is', async () => {
  const run = importing()
  const row = (size: number, sequence: string) =>
    `A,2024-01-03,2024-01-03 14:30:00,${sequence},1.5,${size},D,false`
  const path = run.file('a.csv', [HEADER, row(1, '1'), row(2, '1'), row(3, '2.0'), row(4, '2')])
  expect(await run.import([path], CSV)).toMatchObject({ rows: 2, rejected: 0 })
  expect(await run.rows('SELECT sequence, size FROM bars ORDER BY sequence', 'stock_trades')).toEqual([
    '1 2',
    '2 4',
  ])
})

test('a file of a stored day and a new one puts the rows of each where they belong', {
  tags: 'slow',
}, async () => {
  const run = importing()
  const rows = trades(4000, ['2024-01-03', '2024-01-04'])
  const ofDay = (day: string) => rows.filter(row => row.includes(`,${day},`))
  for (const [stored, fresh] of [
    ['2024-01-03', '2024-01-04'],
    ['2024-01-04', '2024-01-03'],
  ] as const) {
    const options = { ...CSV, lake: `${run.lake}-${stored}` }
    await run.import([run.file('a.csv', [HEADER, ...ofDay(stored)])], options)
    const both = await run.import([run.file('b.csv', [HEADER, ...rows])], options)
    // The stored day's rows come again as they were: its files stay.
    expect(both).toMatchObject({ rows: 4000, rejected: 0, partitions: [fresh] })
    const days = (await loadSnapshot(options.lake))
      .files('stock_trades')
      .map(({ path }) => path.split('/').at(-2))
    expect(days).toEqual(['2024-01-03', '2024-01-04'])
    expect(await disorder(options.lake)).toEqual(['0', '4000'])
  }
})
