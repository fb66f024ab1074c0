import { onTestFinished } from 'vitest'
import { dates, files, texts } from '../../../src/engine/bind.ts'
import type { Observe } from '../../../src/engine/observation.ts'
import { openWriter, type Writer, type WriterSettings } from '../../../src/engine/writer.ts'
import { type Draft, type DraftOptions, withDraft } from '../../../src/lake/land/draft.ts'
import { type Landing, land as landInto } from '../../../src/lake/land/land.ts'
import { type Dataset, dataset } from '../../../src/lake/store/datasets.ts'
import { locator } from '../../../src/lake/store/layout.ts'
import { loadSnapshot, type Selection } from '../../../src/lake/store/snapshot.ts'
import { THREADS } from '../../fixtures/threads.ts'

/** A row of daily_bars as these tests see it: what matters of a bar is its close. */
export interface Day {
  readonly ticker: string
  readonly date: string
  readonly close: string
}

export const day = (ticker: string, date: string, close = '1'): Day => ({ ticker, date, close })
export const DAILY_BARS = dataset('daily_bars')
export const silent = () => {}

/** A writer for the time of one test. */
export async function writerForTest(folder: string, settings: Partial<WriterSettings> = {}): Promise<Writer> {
  const writer = await openWriter({ directories: [folder], threads: THREADS, ...settings })
  onTestFinished(() => writer.close())
  return writer
}

/** Lands the writer's table `incoming` and publishes that alone. */
export function land(
  writer: Writer,
  lake: string,
  dataset: Dataset,
  inputs: readonly string[],
  observe: Observe,
  options: DraftOptions = {},
): Promise<Published> {
  const work = async (draft: Draft) => {
    const landing = await landInto(draft, dataset, inputs)
    return { ...landing, published: draft.changed(), snapshot: await draft.publish() }
  }
  return withDraft(writer, lake, observe, work, options)
}

export interface Published extends Landing {
  /** The lake's snapshot afterwards; 0 if there is still none. */
  readonly snapshot: number
  readonly published: boolean
}

/** Lands rows that are given one by one. */
export async function landDays(
  writer: Writer,
  lake: string,
  rows: readonly Day[],
  inputs: readonly string[] = [],
  options: DraftOptions = {},
): Promise<Published> {
  await writer.run(
    `CREATE OR REPLACE TEMP TABLE incoming AS
     SELECT ticker, date, NULL::DECIMAL(18, 6) AS open, NULL::DECIMAL(18, 6) AS high, NULL::DECIMAL(18, 6) AS low,
       close::DECIMAL(18, 6) AS close, NULL::DECIMAL(18, 6) AS adjusted_close, 1000::BIGINT AS volume
     FROM (SELECT unnest($tickers) AS ticker, unnest($dates) AS date, unnest($closes) AS close)`,
    {
      tickers: texts(rows.map(({ ticker }) => ticker)),
      dates: dates(rows.map(({ date }) => date)),
      closes: texts(rows.map(({ close }) => close)),
    },
  )
  return land(writer, lake, DAILY_BARS, inputs, silent, options)
}

/** Makes `incoming` of `tickers` times the days of `from` to `to`, without weekends: a history of some size. */
export function makeHistory(writer: Writer, tickers: number, from: string, to: string): Promise<void> {
  return writer.run(
    `CREATE OR REPLACE TEMP TABLE incoming AS
     SELECT format('T{:05d}', t) AS ticker, d::DATE AS date, NULL::DECIMAL(18, 6) AS open,
       NULL::DECIMAL(18, 6) AS high, NULL::DECIMAL(18, 6) AS low,
       (1 + hash(t, d) % 100000 / 100)::DECIMAL(18, 6) AS close, NULL::DECIMAL(18, 6) AS adjusted_close,
       (hash(d, t) % 1000000)::BIGINT AS volume
     FROM range(${tickers}) AS a(t), range(DATE '${from}', DATE '${to}' + 1, INTERVAL 1 DAY) AS b(d)
     WHERE isodow(d) < 6
     ORDER BY hash(t, d)`,
  )
}

/** The rows that a snapshot serves, as `ticker date close`, in the order of their key. */
export async function storedDays(
  writer: Writer,
  lake: string,
  selection: Selection = {},
  number?: number,
): Promise<string[]> {
  const snapshot = await loadSnapshot(lake, number)
  const paths = snapshot.files('daily_bars', selection).map(({ path }) => locator(lake)(path) ?? path)
  if (paths.length === 0) return []
  const rows = await writer.rows(
    `SELECT concat_ws(' ', ticker, date, rtrim(rtrim(close::VARCHAR, '0'), '.')) AS row
     FROM read_parquet($paths, hive_partitioning = false) ORDER BY ticker, date, close`,
    { paths: files(paths) },
  )
  return rows.map(({ row }) => String(row))
}

/** The partitions with files of a snapshot, without duplicates. */
export async function partitionsOf(lake: string): Promise<string[]> {
  const names = (await loadSnapshot(lake)).files('daily_bars').map(({ name }) => name.split('/').at(-2) ?? '')
  return [...new Set(names)].toSorted()
}
