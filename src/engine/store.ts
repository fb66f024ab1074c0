import type { DuckDBInstance } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import type { Bindings, Bound } from './bind.ts'
import { cutterAt, filled } from './cut.ts'
import { Failure, firstLine } from './failure.ts'
import { filesOfList, type Guard, isMissing, type ParquetFile, readFiles } from './file-lists.ts'
import { copyList, databaseName, dropCopy, keyOf, type NativeTable, placeOf } from './native-table.ts'
import type { Observe } from './observation.ts'
import { type HowToRun, readingOf } from './running/reading.ts'
import { wantedColumns } from './template.ts'

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
  /** Like `reading`, if every list that the SQL reads has a table, so that no file is read; else null. */
  readingTables(sql: string, bindings: Bindings): Reading | null
  /** Makes a table of a list, unless there is one, as if queries had read it often enough. */
  keep(list: Bound): void
  /** Whether there is a table of a list. */
  has(list: Bound): boolean
  /** Drops the table of a list, if there is one. */
  drop(list: Bound): void
  /** Drops the tables that were made from a file, by its name in the lake. */
  forget(file: string): void
  /** Drops the tables that were made from other files than these. */
  retain(files: Iterable<ParquetFile>): void
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

export interface Reading extends HowToRun {
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

/** Its name is never used again. */
interface Table extends NativeTable {
  readonly files: readonly ParquetFile[]
  readers: number
  isDropped: boolean
}

/**
 * What is known of a list: its table, if there is one, how often it was read without a table that has all columns, and whether
 * one is made at the second time, is being made, or will never be.
 */
interface Entry {
  table: Table | null
  reads: number
  state: 'counted' | 'waiting' | 'refused'
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
    dispose: ({ table }) => table && drop(table),
  })
  const waiting: Bound[] = []
  const wanted = wantedColumns()
  const detaching = new Set<Promise<void>>()
  let making: Promise<void> | null = null
  let latest: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let made = 0
  let bytes = 0
  let tables = 0
  let reads = 0

  function notice(what: string, thrown: unknown): void {
    if (!isClosed) observe({ kind: 'notice', message: `${what}: ${firstLine(thrown)}` })
  }

  /** One after the other: what a copy takes is the difference of the memory before and after it. */
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = latest.then(work)
    latest = next.catch(() => {})
    return next
  }

  function find(list: Bound, sql: string): Table | null {
    const entry = entryOf(list)
    if (entry.table?.serves(sql)) return entry.table
    entry.reads += 1
    if (entry.state !== 'counted' || entry.reads < READS_BEFORE) return null
    const hasAll = wanted.add(list, sql)
    if (entry.table === null || hasAll) wait(list, entry)
    return null
  }

  function entryOf(list: Bound): Entry {
    const key = keyOf(list)
    const entry = entries.get(key) ?? { table: null, reads: 0, state: 'counted' }
    entries.set(key, entry)
    return entry
  }

  function wait(list: Bound, entry: Entry): void {
    if (waiting.length >= WAITING_MAX || isClosed) return
    entry.state = 'waiting'
    waiting.push(list)
    making ??= makeAll().finally(() => {
      making = null
    })
  }

  async function makeAll(): Promise<void> {
    while (waiting.length > 0 && !isClosed) {
      const list = waiting.shift() as Bound
      const table = await inOrder(() => make(list)).catch(thrown => {
        // Once the file is mended, or at rest after a publish has moved it, the list is copied.
        if (thrown instanceof Failure || isMissing(thrown)) return 'counted' as const
        notice('a list of files is not kept in memory', thrown)
        return 'refused' as const
      })
      const key = keyOf(list)
      // One that lacks columns answers until another one has them.
      const former = entries.peek(key)?.table ?? null
      if (typeof table === 'string') entries.set(key, { table: former, reads: READS_BEFORE, state: table })
      else {
        bytes += table.bytes
        tables += 1
        entries.set(key, { table, reads: 0, state: 'counted' })
        if (former) drop(former)
      }
      evict()
    }
  }

  async function make(list: Bound): Promise<Table | 'refused'> {
    const bytesShare = bytesMax * SHARE_MAX
    if ((list.bytes ?? 0) > bytesShare) return 'refused'
    made += 1
    const columns = wanted.of(list)
    const copied = await copyList(connection, databaseName(made), list, columns, copy =>
      readFiles({ guard, signal: ALWAYS }, { list }, copy),
    )
    if (copied.bytes <= bytesShare)
      return { ...copied, files: filesOfList(list), readers: 0, isDropped: false }
    await dropCopy(connection, copied.name)
    if (columns.size === 0) return 'refused'
    wanted.refuse(list)
    return make(list)
  }

  /** Drops the tables that were not read for longest until the others fit. */
  function evict(): void {
    for (const key of [...entries.rkeys()]) {
      if (bytes <= bytesMax) return
      if (entries.peek(key)?.table) entries.delete(key)
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
    const detached = inOrder(() => dropCopy(connection, name))
      .catch(thrown => notice('a table of the store could not be dropped', thrown))
      .finally(() => detaching.delete(detached))
    detaching.add(detached)
  }

  const tableOf = (list: Bound) => entries.peek(keyOf(list))?.table ?? null

  const store: Store = {
    reading(sql, bindings) {
      const used: Table[] = []
      let isNative = true
      const read = filled(cutAtLists(sql), (name, call) => {
        const list = bindings[name]
        const table = list?.files === undefined ? null : find(list, sql)
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
        ...readingOf(
          read,
          isNative,
          used.map(({ rows }) => rows),
        ),
        release() {
          for (const table of used.splice(0)) {
            table.readers -= 1
            if (table.readers === 0 && table.isDropped) detach(table)
          }
        },
      }
    },
    readingTables(sql, bindings) {
      const { names } = cutAtLists(sql)
      const servesAll = names.every(name => bindings[name]?.files && tableOf(bindings[name])?.serves(sql))
      return names.length > 0 && servesAll ? store.reading(sql, bindings) : null
    },
    keep(list) {
      const entry = entryOf(list)
      if (entry.table === null && entry.state === 'counted') wait(list, entry)
    },
    forget(file) {
      for (const key of [...entries.keys()]) if (key.includes(`/${file}`)) entries.delete(key)
    },
    drop: list => void entries.delete(keyOf(list)),
    retain(files) {
      const places = new Set(Array.from(files, placeOf))
      for (const [key, { table }] of [...entries.entries()])
        if (table && !table.files.every(file => places.has(placeOf(file)))) entries.delete(key)
    },
    has: list => tableOf(list) !== null,
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
  return store
}

/** Cuts a template at the one form in which it reads a list of files. */
const cutAtLists = cutterAt(/\bread_parquet\(\$([a-z_]+), hive_partitioning = false\)/g)

const ALWAYS = new AbortController().signal

const NO_STORE: Store = {
  reading: sql => ({ ...readingOf(sql, false, []), release() {} }),
  readingTables: () => null,
  keep() {},
  drop() {},
  forget() {},
  retain() {},
  has: () => false,
  settled: async () => {},
  reads: 0,
  bytes: 0,
  tables: 0,
  close: async () => {},
}
