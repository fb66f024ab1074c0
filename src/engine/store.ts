import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import { type Bindings, type Bound, literal } from './bind.ts'
import { completed } from './computed-columns.ts'
import { Failure, firstLine } from './failure.ts'
import { type Guard, pathsOf, readFiles } from './file-lists.ts'
import type { Observe } from './observation.ts'
import { runOwn } from './sandbox/gate.ts'

/**
 * The serving store: copies of lists of Parquet files as native tables in memory. A query that reads a list for which there
 * is a table reads the table instead: no file is opened, and DuckDB plans the query in a fraction of the time.
 *
 * A table is known by the files that it was made from. Files never change, so a table is never stale, and a new snapshot
 * uses those tables whose files it still has. The store is a copy that can be dropped at any time, never the truth.
 */
export interface Store {
  /** SQL that reads tables in place of the lists that have one. Call `release` when the query has ended. */
  reading(sql: string, bindings: Bindings): Reading
  /** Makes a table of a list, unless there is one, as if queries had read it often enough. */
  keep(list: Bound): void
  /** Whether there is a table of a list. */
  has(list: Bound): boolean
  /** Drops the tables that were made from a file, by its name in the lake. */
  forget(file: string): void
  /** Resolves once no list waits for its table. */
  settled(): Promise<void>
  /** Bytes of memory that the tables take. */
  readonly bytes: number
  /** The number of tables. */
  readonly tables: number
  /** Lists that queries have read from tables so far. */
  readonly reads: number
  close(): Promise<void>
}

export interface Reading {
  readonly sql: string
  /** Whether all lists of files that the SQL reads are tables. */
  readonly isNative: boolean
  release(): void
}

/** A list is copied when it is read for the second time: many are read once, and a copy costs as much as a read. */
const READS_BEFORE = 2
/** Lists whose reads are counted. */
const LISTS_MAX = 4096
/** Lists that wait to be copied. A list that finds no place is asked for again. */
const WAITING_MAX = 64
/** The largest part of the store that one table may take. */
const SHARE_MAX = 0.5
/** Bytes of a table for each byte of its files, at least: a list that cannot fit is not read. */
const GROWTH_MIN = 2

interface Table {
  /** Its name in SQL. A name is never used again. */
  readonly name: string
  readonly bytes: number
  readers: number
  isDropped: boolean
}

/** What is known of a list: how often it was read, whether its table is being made, the table, or that there will be none. */
interface Entry {
  reads: number
  state: 'counted' | 'waiting' | 'refused' | Table
}

/**
 * Opens the store of an instance, empty; with `bytesMax` 0 it stays so. It copies only files that the guard holds. `onDrop` is called with the name of a table before it
 * is dropped: kept statements that read it must go.
 */
export async function openStore(
  instance: DuckDBInstance,
  bytesMax: number,
  guard: Guard | undefined,
  onDrop: (name: string) => void,
  observe: Observe,
): Promise<Store> {
  if (bytesMax === 0) return NO_STORE
  const connection = await instance.connect()
  const entries = new LRUCache<string, Entry>({
    max: LISTS_MAX,
    // `set` of the same key is no end of its table.
    noDisposeOnSet: true,
    dispose: ({ state }) => {
      if (isTable(state)) drop(state)
    },
  })
  const waiting: { readonly key: string; readonly list: Bound }[] = []
  const detaching = new Set<Promise<void>>()
  let making: Promise<void> | null = null
  let isClosed = false
  let made = 0
  let bytes = 0
  let tables = 0
  let reads = 0

  function find(list: Bound): Table | null {
    const key = keyOf(list)
    const entry: Entry = entries.get(key) ?? { reads: 0, state: 'counted' }
    entry.reads += 1
    entries.set(key, entry)
    if (isTable(entry.state)) return entry.state
    if (entry.state === 'counted' && entry.reads >= READS_BEFORE) wait(key, list, entry)
    return null
  }

  function wait(key: string, list: Bound, entry: Entry): void {
    if (waiting.length >= WAITING_MAX || isClosed) return
    entry.state = 'waiting'
    waiting.push({ key, list })
    making ??= makeAll().finally(() => {
      making = null
    })
  }

  async function makeAll(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined && !isClosed; next = waiting.shift()) {
      const { key, list } = next
      made += 1
      const state = await make(connection, `store_${made}`, list).catch(thrown => {
        // Once the file is mended, the list is copied.
        if (thrown instanceof Failure) return 'counted' as const
        if (!isClosed)
          observe({ kind: 'notice', message: `a list of files is not kept in memory: ${firstLine(thrown)}` })
        return 'refused' as const
      })
      if (isTable(state)) count(state)
      entries.set(key, { reads: READS_BEFORE, state })
      evict()
    }
  }

  async function make(on: DuckDBConnection, database: string, list: Bound): Promise<Table | 'refused'> {
    if ((list.bytes ?? 0) * GROWTH_MIN > bytesMax * SHARE_MAX) return 'refused'
    const before = await tableBytes(on)
    // A database of its own: a change of one catalog makes DuckDB plan every statement again that reads it.
    await runOwn(on, 'attach', `ATTACH ':memory:' AS ${database} (ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`)
    try {
      const union = list.files === 'mixed' ? ', union_by_name = true' : ''
      const read = `read_parquet(${literal(list)}, hive_partitioning = false${union})`
      const rows = list.computed ? `(${completed(list.computed, read)})` : read
      await readFiles({ guard, signal: ALWAYS }, { list }, () =>
        runOwn(on, 'fill', `CREATE OR REPLACE TABLE ${database}.t AS FROM ${rows}`),
      )
    } catch (thrown) {
      await runOwn(on, 'detach', `DETACH ${database}`)
      throw thrown
    }
    const table = {
      name: `${database}.t`,
      bytes: (await tableBytes(on)) - before,
      readers: 0,
      isDropped: false,
    }
    if (table.bytes <= bytesMax * SHARE_MAX) return table
    await runOwn(on, 'detach', `DETACH ${database}`)
    return 'refused'
  }

  function count(table: Table): void {
    bytes += table.bytes
    tables += 1
  }

  /** Drops the tables that were not read for longest until the others fit. */
  function evict(): void {
    for (const key of [...entries.rkeys()]) {
      if (bytes <= bytesMax) return
      if (isTable(entries.peek(key)?.state ?? 'counted')) entries.delete(key)
    }
  }

  function drop(table: Table): void {
    table.isDropped = true
    bytes -= table.bytes
    tables -= 1
    if (table.readers === 0) detach(table)
  }

  function detach({ name }: Table): void {
    if (isClosed) return
    onDrop(name)
    const detached = runOwn(connection, 'detach', `DETACH ${name.slice(0, -'.t'.length)}`)
      .catch(thrown => {
        if (!isClosed)
          observe({
            kind: 'notice',
            message: `a table of the store could not be dropped: ${firstLine(thrown)}`,
          })
      })
      .finally(() => detaching.delete(detached))
    detaching.add(detached)
  }

  return {
    reading(sql, bindings) {
      const used: Table[] = []
      let isNative = true
      const read = sql.replace(READ_PARQUET, (call, name: string) => {
        const list = bindings[name]
        const table = list?.files === undefined ? null : find(list)
        if (table === null) {
          isNative = false
          return call
        }
        table.readers += 1
        reads += 1
        used.push(table)
        return table.name
      })
      return {
        sql: read,
        isNative,
        release() {
          for (const table of used.splice(0)) {
            table.readers -= 1
            if (table.readers === 0 && table.isDropped) detach(table)
          }
        },
      }
    },
    keep(list) {
      const key = keyOf(list)
      const entry: Entry = entries.peek(key) ?? { reads: 0, state: 'counted' }
      entries.set(key, entry)
      if (entry.state === 'counted') wait(key, list, entry)
    },
    forget(file) {
      for (const key of [...entries.keys()]) if (key.includes(`/${file}`)) entries.delete(key)
    },
    has: list => isTable(entries.peek(keyOf(list))?.state ?? 'counted'),
    async settled() {
      await making
    },
    get bytes() {
      return bytes
    },
    get reads() {
      return reads
    },
    get tables() {
      return tables
    },
    async close() {
      isClosed = true
      connection.interrupt()
      await making
      // A connection that is closed under a statement ends the process.
      await Promise.all(detaching)
      connection.closeSync()
    },
  }
}

/** The one form in which templates read a list of files. */
const READ_PARQUET = /\bread_parquet\(\$([a-z_]+), hive_partitioning = false\)/g

/** Rows of a row group. Small, so that the rows of one ticker are found without reading those of all. */
const ROW_GROUP_ROWS = 8192

const ALWAYS = new AbortController().signal

const isTable = (state: Entry['state']): state is Table => typeof state === 'object'

/** A file is known by its name, which is a hash of its content, and by its dataset; a publish may move it. */
function keyOf(list: Bound): string {
  const key = keys.get(list) ?? `${list.files} ${pathsOf(list).join(' ').replaceAll('/superseded/', '/')}`
  keys.set(list, key)
  return key
}

/** A list of a snapshot is bound once, so that its key is made once. */
const keys = new WeakMap<Bound, string>()

/** The bytes of all native tables of the instance. */
async function tableBytes(connection: DuckDBConnection): Promise<number> {
  const result = await connection.run(
    `SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'`,
  )
  return Number(result.getChunk(0).getColumnVector(0).getItem(0))
}

const NO_STORE: Store = {
  reading: sql => ({ sql, isNative: false, release() {} }),
  keep() {},
  forget() {},
  has: () => false,
  settled: async () => {},
  reads: 0,
  bytes: 0,
  tables: 0,
  close: async () => {},
}
