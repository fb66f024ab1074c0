import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBMaterializedResult, DuckDBPreparedStatement } from '@duckdb/node-api'
import type { Table } from 'apache-arrow'
import { answerEncoder, arrowSql, TEXT_SQL } from './answers.ts'
import { type Bound, bindAll, boundOf } from './bind.ts'
import { runUntil, stuckAfterMs } from './deadline.ts'
import { openEmptyFiles, type TableSchema } from './empty-files.ts'
import { type Encoded, type EncodedFile, encodedIn, rowsCopied } from './encode/encoded.ts'
import { pageRowsSql } from './encode/page.ts'
import { type ColumnType, describeSql, type Frame, placesSql, typedSql } from './encode/sql.ts'
import { explained } from './explain.ts'
import { Failure, firstLine } from './failure.ts'
import {
  firstPaths,
  type Guard,
  type Locate,
  listBinder,
  type ParquetFile,
  readFiles,
  readingSql,
} from './file-lists.ts'
import { type Connections, connect, openInstance } from './instance.ts'
import { openPool } from './lease.ts'
import { openMacros } from './macros.ts'
import type { Observe, QueryOutcome } from './observation.ts'
import type { Encoding, Query } from './query.ts'
import { type Breach, breaches } from './sandbox/attempts.ts'
import { prepareCopy } from './sandbox/gate.ts'
import { openStore, type Reading, type Store } from './store.ts'
import { presentConditions } from './template.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type { Encoding, Query } from './query.ts'

export interface EngineSettings {
  /** The lake. Queries may read this folder, and no other besides `directories`. Absolute path. */
  readonly lake: string
  /** Folders outside the lake that queries may read too: those with the files of its state as of a time. */
  readonly directories?: readonly string[]
  readonly threads: number
  readonly memoryBytesMax: number
  readonly temporaryBytesMax: number
  readonly leasesMax: number
  readonly queueMax: number
  /** Memory for copies of files as native tables (see `Store`). Default: 0, no copies. */
  readonly storeBytesMax?: number
  /** The schema of a dataset: one without files is read as a Parquet file without rows, made from its schema. */
  readonly schemaOf: (dataset: string) => TableSchema
  /** The present path of a file that a writer may have moved within the lake. Default: files are not moved. */
  readonly locate?: Locate
  /** Keeps damaged files from being read. Default: files are read as they are. */
  readonly guard?: Guard
}

interface RunOptions {
  /** The file that a COPY of the SELECT writes. Default: the SELECT itself runs. */
  readonly copyTo?: string
  /** Whether the query is queued even if the queue is full. */
  readonly admitted?: boolean
  /** The tables that it reads. Default: those that there are once it has a lease. It is released when the query has ended. */
  readonly tables?: Reading
}

/**
 * A read-only DuckDB that runs prepared single SELECT statements, each on its own connection. When the signal of a
 * method aborts, the method rejects with the signal's reason (see `deadline`).
 */
export interface Engine {
  /** The whole result as an Arrow table, for the calculations. */
  table(query: Query, signal: AbortSignal): Promise<Table>
  /** The result in one encoding. */
  encode(query: Query, encoding: Encoding, signal: AbortSignal): Promise<Encoded>
  /**
   * Like `encode`, for a query that returns one page of an answer. A page that `follows` another has no header and is
   * queued even if the queue is full. An Arrow page has no end-of-stream marker (see `arrowPart`).
   */
  page(
    query: Query,
    encoding: Exclude<Encoding, 'parquet'>,
    part: { readonly follows: boolean; readonly frame?: Frame },
    signal: AbortSignal,
  ): Promise<Encoded>
  /** The values of `columns` in every `every`th row of the result and in its last row, in order; a UUID as text. */
  places(
    query: Query,
    columns: readonly string[],
    every: number,
    signal: AbortSignal,
  ): Promise<readonly (readonly Bound[])[]>
  /** The whole result as a Parquet file that is already deleted from its folder: closing the handle frees it. */
  parquetFile(query: Query, signal: AbortSignal): Promise<EncodedFile>
  /** Tries what the serving path must refuse. Resolves with what it did not refuse. */
  breaches(): Promise<readonly Breach[]>
  /** Names and types of a query's columns. */
  columns(query: Query, signal: AbortSignal): Promise<readonly ColumnType[]>
  /** Binds a list of Parquet files; if there are none, the dataset's empty file. */
  bindFiles(dataset: string, files: readonly ParquetFile[]): Bound
  /** Native tables in place of files. */
  readonly store: Omit<Store, 'reading' | 'readingTables' | 'close'>
  readonly running: number
  readonly queued: number
  /** Waits for running queries, then releases all resources. */
  close(): Promise<void>
}

export async function openEngine(settings: EngineSettings, observe: Observe): Promise<Engine> {
  const temporaryDirectory = temporaryFolder('query')
  const directories = [settings.lake, ...(settings.directories ?? [])]
  const served = { hasMacros: false, keepsCopies: true }
  let connections: readonly Connections[] = []
  const opening = { ...settings, ...served, directories, temporaryDirectory }
  const instance = await openInstance(opening, async opened => {
    connections = await connect(opened, settings.leasesMax)
  })
  const macros = openMacros(instance)
  const emptyFiles = openEmptyFiles(instance, temporaryDirectory)
  const pool = openPool(connections, settings.queueMax, settings.threads)
  const storeBytesMax = settings.storeBytesMax ?? 0
  const { schemaOf, locate, guard } = settings
  const store = await openStore(instance, storeBytesMax, guard, name => pool.forget(name), observe)
  const bindFiles = listBinder(schemaOf, emptyFiles)
  const columnsOf = new Map<string, readonly ColumnType[]>()

  /**
   * Runs one statement, and again if one of its files was moved or changed in the meantime, or if memory is short. One that
   * reads tables only depends on no file: these were proved when the tables were made.
   */
  async function run(query: Query, sql: string, signal: AbortSignal, options: RunOptions = {}) {
    const text = presentConditions(sql, query.bindings)
    const attempt = () => {
      const tables = store.readingTables(text, query.bindings)
      if (tables !== null) return runOnce(query, text, signal, { ...options, tables })
      return readFiles({ guard, locate, signal }, query.bindings, bindings =>
        runOnce({ ...query, bindings }, text, signal, options),
      )
    }
    return explained(attempt, () => pool.forget(''))
  }

  /**
   * Runs one SELECT on its own lease. With `copyTo`, it runs the COPY of the SELECT to this file. That text contains a
   * unique path, so the statement is prepared for one use.
   */
  async function runOnce(
    query: Query,
    text: string,
    signal: AbortSignal,
    { copyTo, admitted = false, tables }: RunOptions,
  ): Promise<DuckDBMaterializedResult> {
    const queuedAt = performance.now()
    let started = queuedAt
    let outcome: QueryOutcome = 'failed'
    try {
      const lease = await pool.acquire(text, signal, admitted).catch(thrown => {
        tables?.release()
        throw thrown
      })
      started = performance.now()
      const reading = tables ?? store.reading(text, query.bindings)
      // A table has the columns that its files lack.
      const withColumns = (sql: string) => (reading.isNative ? sql : readingSql(sql, query.bindings))
      const sql = withColumns(reading.sql)
      const session = lease[reading.isSmall ? 'whole' : 'late']
      let copy: DuckDBPreparedStatement | undefined
      let ended = Promise.resolve()
      try {
        if (!reading.isNative) await emptyFiles.ready(firstPaths(query.bindings))
        await macros.ready(withColumns(query.template.sql))
        if (copyTo) {
          copy = await prepareCopy(session.connection, sql, copyTo, temporaryDirectory)
          bindAll(copy, query.bindings)
        }
        const start = async () => (copy ? copy.run() : (await session.ready(sql, query, reading, text))())
        const running = runUntil(session.connection, start, signal)
        ended = running.ended
        const result = await running.result
        outcome = 'done'
        return result
      } finally {
        const stuck = setTimeout(
          () =>
            observe({
              kind: 'query_stuck',
              operation: query.operation,
              durationMs: performance.now() - started,
            }),
          stuckAfterMs(signal),
        )
        const settle = async () => {
          await ended
          clearTimeout(stuck)
          copy?.destroySync()
          pool.release(lease)
          reading.release()
          // An interrupted COPY may continue to write for a while.
          if (copyTo && outcome !== 'done') await rm(copyTo, { force: true })
        }
        // The request does not wait for this; closing the engine removes what remains.
        settle().catch(thrown =>
          observe({ kind: 'notice', message: `a temporary file could not be removed: ${firstLine(thrown)}` }),
        )
      }
    } catch (thrown) {
      if (thrown instanceof Failure && (thrown.code === 'canceled' || thrown.code === 'deadline_exceeded')) {
        outcome = thrown.code
      }
      throw thrown
    } finally {
      const durationMs = performance.now() - queuedAt
      const queuedMs = started - queuedAt
      observe({ kind: 'query', operation: query.operation, durationMs, queuedMs, outcome })
    }
  }

  /** Described once per template: its columns depend only on the schemas of its datasets. */
  async function columns(query: Query, signal: AbortSignal): Promise<readonly ColumnType[]> {
    const known = columnsOf.get(query.template.sql)
    if (known) return known
    const result = await run(query, describeSql(query.template.sql), signal)
    const found = result.columnNames().map((name, index) => ({ name, type: result.columnType(index) }))
    columnsOf.set(query.template.sql, found)
    return found
  }

  async function parquetFile(query: Query, signal: AbortSignal): Promise<EncodedFile> {
    const typed = typedSql(rowsSql(query), await columns(query, signal))
    const path = join(temporaryDirectory, `${randomUUID()}.parquet`)
    try {
      const copied = await run(query, typed, signal, { copyTo: path })
      return { file: await open(path), rows: rowsCopied(copied) }
    } finally {
      await rm(path, { force: true })
    }
  }

  const encodeAnswer = answerEncoder(run, parquetFile)

  return {
    async table(query, signal) {
      const { arrowTable } = await import('./arrow/arrow.ts')
      return arrowTable(await run(query, query.template.sql, signal))
    },
    async encode(query, encoding, signal) {
      return encodeAnswer(query, await columns(query, signal), encoding, signal)
    },
    async page(query, encoding, part, signal) {
      const sql = query.template.sql
      const types = await columns(query, signal)
      const options = { admitted: part.follows }
      if (encoding === 'arrow') {
        // Loaded with the first answer in this format: the packages of Arrow are a fifth of the program.
        const { arrowPart } = await import('./encode/arrow.ts')
        const result = await run(query, arrowSql(sql, types), signal, options)
        return { bytes: await arrowPart(result, part.follows, signal), rows: result.rowCount }
      }
      const paged = TEXT_SQL[encoding](sql, types, { digits: query.digits ?? {}, ...part })
      return encodedIn(await run(query, paged, signal, options))
    },
    async places(query, names, every, signal) {
      const result = await run(query, placesSql(query.template.sql, names, every), signal)
      const types = result.columnTypes()
      const rows = await result.getRows()
      return rows.map(row => row.map((value, index) => boundOf(value, types[index])))
    },
    parquetFile,
    breaches: () => breaches(instance, settings.lake),
    columns,
    bindFiles,
    store,
    get running() {
      return pool.running
    },
    get queued() {
      return pool.queued
    },
    async close() {
      await pool.close()
      await store.close()
      instance.closeSync()
      rmSync(temporaryDirectory, { recursive: true, force: true })
    },
  }
}

const rowsSql = ({ template, page }: Query) =>
  page === undefined ? template.sql : pageRowsSql(template.sql, page)
