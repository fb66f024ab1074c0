import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

export interface InstanceSettings {
  /** Folders that queries may read (and only these); the temporary folder is added. Absolute paths. */
  readonly directories: readonly string[]
  /** Single files that queries may read besides. Absolute paths. */
  readonly paths?: readonly string[]
  /** Where sorts and joins spill. Absolute path of a folder that exists. */
  readonly temporaryDirectory: string
  readonly temporaryBytesMax: number
  readonly memoryBytesMax: number
  readonly threads: number
}

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`
const list = (values: readonly string[]) => `[${values.map(quoted).join(', ')}]`

/**
 * One DuckDB in memory, closed to everything but the given folders: no extension, no network, no other file, no
 * change of settings. `prepare` runs before the doors close (macros, empty-schema files).
 *
 * The order matters: what concerns extensions, threads and memory at creation, then the file system, and
 * `lock_configuration` last, so that nothing reopens what was closed.
 */
export async function openInstance(
  settings: InstanceSettings,
  prepare?: (connection: DuckDBConnection) => Promise<void>,
): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', {
    allow_unsigned_extensions: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    threads: String(settings.threads),
    memory_limit: `${settings.memoryBytesMax}B`,
    // What an import sets aside on disk is read back at once: choosing a compression took a sixth of its time.
    force_compression: 'uncompressed',
  })
  const connection = await instance.connect()
  try {
    await prepare?.(connection)
    const closing = [
      `allowed_directories = ${list([...settings.directories, settings.temporaryDirectory])}`,
      ...(settings.paths?.length ? [`allowed_paths = ${list(settings.paths)}`] : []),
      `temp_directory = ${quoted(settings.temporaryDirectory)}`,
      `max_temp_directory_size = '${settings.temporaryBytesMax}B'`,
      'enable_external_access = false',
      'allow_community_extensions = false',
      `TimeZone = 'UTC'`,
      'parquet_metadata_cache = true',
      // The system's own cache keeps what files hold, and does not count against a process.
      'enable_external_file_cache = false',
      'preserve_insertion_order = true',
      'lock_configuration = true',
    ]
    for (const setting of closing) await connection.run(`SET GLOBAL ${setting}`)
  } finally {
    connection.closeSync()
  }
  return instance
}
