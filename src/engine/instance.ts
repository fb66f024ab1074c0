import { type DuckDBConnection, DuckDBInstance, version } from '@duckdb/node-api'
import { macros } from './macros.ts'

export interface InstanceSettings {
  /** The folders that queries may read, besides the temporary folder. Absolute paths. */
  readonly directories: readonly string[]
  /** Single files outside these folders that queries may read. Absolute paths. */
  readonly paths?: readonly string[]
  /** Folder that sorts and joins spill to. Absolute path; the folder must exist. */
  readonly temporaryDirectory: string
  readonly temporaryBytesMax: number
  readonly memoryBytesMax: number
  readonly threads: number
  /** Whether it has the macros of `sql/macros.sql`. Default: true. */
  readonly hasMacros?: boolean
  /** Whether it keeps copies of files in compressed tables (see `Store`). Default: false. */
  readonly keepsCopies?: boolean
  /** Whether freed memory goes back to the system at once, so that the process stays near the limit. Default: false. */
  readonly isFrugal?: boolean
}

/**
 * By default the engine keeps up to 512 MiB that it has freed, and gives memory back only at the end of a task that used
 * 128 MiB. Rows to insert wait for five row groups per thread.
 */
const FRUGAL = {
  allocator_background_threads: 'true',
  allocator_flush_threshold: '2MiB',
  allocator_bulk_deallocation_flush_threshold: '4MiB',
  write_buffer_row_group_count: '1',
}

/**
 * Each column of a copy is compressed in the way that suits it. Copies take several times as much memory while they are
 * made, which the allocator would keep.
 */
const COPIES = { force_compression: 'auto', allocator_background_threads: 'true' }

/**
 * Up to this number of sorted rows, the other columns are read after sorting, and only of these rows: those of a page and
 * the one after it. DuckDB's default is 50, one row less than the page of a screener. For some hundred rows it costs more
 * than it saves.
 */
const ROWS_READ_LATE = 101

const macrosSql = () =>
  macros()
    .map(({ sql }) => sql)
    .join('\n')

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`
const list = (values: readonly string[]) => `[${values.map(quoted).join(', ')}]`

/**
 * An in-memory DuckDB that may access only these folders and files: no extensions, no
 * network, no change of settings.
 *
 * The order matters: extensions, threads and memory are set at creation, then access to files. `lock_configuration`
 * comes last, so that no statement can lift a restriction. `beforeLock` opens connections that have settings of their own.
 */
export async function openInstance(
  settings: InstanceSettings,
  beforeLock: (instance: DuckDBInstance) => Promise<void> = async () => {},
): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', {
    allow_unsigned_extensions: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    threads: String(settings.threads),
    memory_limit: `${settings.memoryBytesMax}B`,
    // Data that an import spills is read back at once. Choosing a compression took a sixth of the import's time.
    force_compression: 'uncompressed',
    // A thread that waits for the end of a statement waits actively. A task that another thread began, and that is the
    // only one, goes back after 50 vectors, so that the waiting thread takes it.
    scheduler_process_partial: 'true',
    ...(settings.isFrugal ? FRUGAL : {}),
    ...(settings.keepsCopies ? COPIES : {}),
  })
  const connection = await instance.connect()
  try {
    if (settings.hasMacros ?? true) await connection.run(macrosSql())
    const restrictions = [
      `allowed_directories = ${list([...settings.directories, settings.temporaryDirectory])}`,
      ...(settings.paths?.length ? [`allowed_paths = ${list(settings.paths)}`] : []),
      `temp_directory = ${quoted(settings.temporaryDirectory)}`,
      `max_temp_directory_size = '${settings.temporaryBytesMax}B'`,
      'enable_external_access = false',
      'allow_community_extensions = false',
      `TimeZone = 'UTC'`,
      'parquet_metadata_cache = true',
      // The page cache of the operating system keeps file contents already, outside the memory of this process.
      'enable_external_file_cache = false',
      'preserve_insertion_order = true',
      `late_materialization_max_rows = ${ROWS_READ_LATE}`,
      // The same number of rows is looked up one by one. Otherwise all rows between the first and the last are read.
      `dynamic_or_filter_threshold = ${ROWS_READ_LATE}`,
    ]
    await connection.run(restrictions.map(setting => `SET GLOBAL ${setting};`).join('\n'))
    await beforeLock(instance)
    await connection.run('SET GLOBAL lock_configuration = true')
  } finally {
    connection.closeSync()
  }
  return instance
}

/** The version of DuckDB, e.g. `v1.4.0`. */
export const duckdbVersion = (): string => version()

/**
 * How a page is read that has a limit. `late`: the engine sorts by the columns that it needs, and then looks up the others of
 * the rows of the page. `whole`: it reads all columns of all rows, which takes less time if there are few.
 */
export type Reads = 'late' | 'whole'

/** Two connections, of which one request at a time uses either. */
export type Connections = Readonly<Record<Reads, DuckDBConnection>>

/**
 * Opens connections for so many leases. The settings of the instance must not be locked yet. Rows of a subquery that is a value are
 * not counted, which takes an operator for each value of a planned statement: each of them has one row, see `test/sql/scalar-subqueries.test.ts`.
 */
export const connect = (instance: DuckDBInstance, leases: number): Promise<readonly Connections[]> =>
  Promise.all(
    Array.from({ length: leases }, async () => {
      const [late, whole] = [await instance.connect(), await instance.connect()]
      await whole.run('SET SESSION late_materialization_max_rows = 0')
      for (const connection of [late, whole])
        await connection.run('SET SESSION scalar_subquery_error_on_multiple_rows = false')
      return { late, whole }
    }),
  )
