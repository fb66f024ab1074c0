import { rmSync } from 'node:fs'
import type { DuckDBConnection, DuckDBInstance, Json } from '@duckdb/node-api'
import { appendNumbers, type NumberColumns, readNumbers } from './arrow/number-columns.ts'
import { type Bindings, type Bound, bindAll } from './bind.ts'
import { type EmptyFiles, openEmptyFiles, type TableSchema } from './empty-files.ts'
import { Failure, firstLine } from './failure.ts'
import { bindFiles, type Guard, type Locate, type ParquetFile, readingSql, readMoving } from './file-lists.ts'
import { openInstance } from './instance.ts'
import { interruptible } from './running/statements.ts'
import { isSingle, parametersOf, replaceParameters } from './template.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type { NumberColumns } from './arrow/number-columns.ts'

/** A DuckDB that may write, for commands that change a lake. It serves no requests. */
export interface Writer {
  /** Runs one statement with bound parameters. Rejects with a Failure if the disk is full or memory runs out. */
  run(sql: string, bindings?: Bindings): Promise<void>
  /** Runs one statement and returns its rows, with BIGINT, DECIMAL and dates as strings, DOUBLE and INTEGER as numbers. */
  rows(sql: string, bindings?: Bindings): Promise<Record<string, Json>[]>
  /** Runs one statement whose columns are all DOUBLE or INTEGER and returns its columns: fast for many rows. */
  numbers(sql: string, bindings?: Bindings): Promise<NumberColumns>
  /** Appends rows to a table whose columns are all DOUBLE and match `columns` in number and order. */
  append(table: string, columns: NumberColumns): Promise<void>
  /** Binds a list of a dataset's Parquet files; if there are none, a file without rows. Rejects if one of them is damaged. */
  bindFiles(schema: TableSchema, list: readonly ParquetFile[]): Promise<Bound>
  /** A second connection to the same database, with its own temporary tables. Close it before this one. */
  beside(): Promise<Writer>
  /** Interrupts the running statement, if any: its promise rejects. */
  interrupt(): void
  close(): void
}

export interface WriterSettings {
  /** Folders that may be read and written: the lake. */
  readonly directories: readonly string[]
  /** Single files that may be read: the inputs of an import. */
  readonly inputs?: readonly string[]
  readonly memoryBytesMax?: number
  readonly threads?: number
  /** The present path of a file that another writer may have moved within the lake. Default: files are not moved. */
  readonly locate?: Locate
  /** Keeps damaged files from being read, and their rows from being written to new files. Default: files are read as they are. */
  readonly guard?: Guard
}

const GIBIBYTE = 1024 ** 3

export async function openWriter(settings: WriterSettings): Promise<Writer> {
  const temporaryDirectory = temporaryFolder('write')
  const instance = await openInstance({
    directories: settings.directories,
    paths: settings.inputs ?? [],
    temporaryDirectory,
    temporaryBytesMax: 200 * GIBIBYTE,
    memoryBytesMax: settings.memoryBytesMax ?? 2 * GIBIBYTE,
    threads: settings.threads ?? 2,
    isFrugal: true,
  })
  const shared = {
    instance,
    emptyFiles: openEmptyFiles(instance, temporaryDirectory),
    locate: settings.locate ?? (() => null),
    guard: settings.guard,
  }
  return connect(shared, () => {
    instance.closeSync()
    rmSync(temporaryDirectory, { recursive: true, force: true })
  })
}

/** A writer on its own connection. `onClose` runs after that connection is closed. */
async function connect(shared: Shared, onClose: () => void): Promise<Writer> {
  const { instance, emptyFiles, locate, guard } = shared
  const connection = await instance.connect()
  const execute = (sql: string, bindings: Bindings) =>
    readMoving(bindings, locate, bound => executeOnce(connection, sql, bound))
  return {
    async run(sql, bindings = {}) {
      await execute(sql, bindings)
    },
    async rows(sql, bindings = {}) {
      const result = await execute(sql, bindings)
      return result.getRowObjectsJson()
    },
    async numbers(sql, bindings = {}) {
      return readNumbers(await execute(sql, bindings))
    },
    append: (table, columns) => appendNumbers(connection, table, columns),
    async bindFiles(schema, list) {
      await guard?.hold(list, UNTIL_PROVED)
      const bound = bindFiles(list, schema, emptyFiles)
      await emptyFiles.ready()
      return bound
    },
    beside: () => connect(shared, () => {}),
    interrupt: () => connection.interrupt(),
    close() {
      connection.closeSync()
      onClose()
    },
  }
}

/** What all connections of a writer share. */
interface Shared {
  readonly instance: DuckDBInstance
  readonly emptyFiles: EmptyFiles
  readonly locate: Locate
  readonly guard: Guard | undefined
}

/**
 * From so many characters on a statement takes longer to be planned than a variable to be set: DuckDB plans one with
 * parameters when it is prepared, and again when it runs.
 */
const LONG_SQL = 2000

/** Runs a statement with bound values. Without any, it is not prepared: DuckDB would plan it twice as well if it reads files. */
async function runBound(connection: DuckDBConnection, sql: string, bindings: Bindings) {
  if (parametersOf(sql).size === 0) return connection.run(sql)
  const statement = await connection.prepare(sql)
  try {
    bindAll(statement, bindings)
    return await statement.run()
  } finally {
    statement.destroySync()
  }
}

let lastVariable = 0

/** Runs a statement that reads its values from a variable of its own, so that it has no parameters and is planned once. */
async function runFolded(connection: DuckDBConnection, sql: string, bindings: Bindings) {
  const isAbsent = (name: string) => (bindings[name]?.value ?? null) === null
  const fields = [...parametersOf(sql)].filter(name => !isAbsent(name)).map(name => `'${name}': $${name}`)
  const variable = `bound_${++lastVariable}`
  const folded = replaceParameters(sql, name =>
    isAbsent(name) ? 'NULL' : `getvariable('${variable}')['${name}']`,
  )
  if (fields.length === 0) return connection.run(folded)
  await runBound(connection, `SET VARIABLE ${variable} = {${fields.join(', ')}}`, bindings)
  try {
    return await connection.run(folded)
  } finally {
    await connection.run(`RESET VARIABLE ${variable}`)
  }
}

const UNTIL_PROVED = new AbortController().signal

async function executeOnce(connection: DuckDBConnection, sql: string, bindings: Bindings) {
  try {
    const read = readingSql(sql, bindings)
    // To prepare several fails; to run them does not.
    if (!isSingle(read)) throw new Error(`only one statement may run at once: ${read.slice(0, 80)}`)
    return await interruptible(connection, () =>
      read.length < LONG_SQL ? runBound(connection, read, bindings) : runFolded(connection, read, bindings),
    )
  } catch (thrown) {
    if (/no space left|disk quota|file too large/i.test(String(thrown))) {
      throw new Failure(
        'lake_write',
        'the disk is full: free some space and run the command again; nothing was published',
        {
          cause: thrown,
        },
      )
    }
    if (/^Out of Memory Error/.test(firstLine(thrown))) {
      throw new Failure(
        'out_of_memory',
        'the engine ran out of memory: allow it more with --memory-mib; nothing was published',
        { cause: thrown },
      )
    }
    throw thrown instanceof Error ? thrown : new Error(firstLine(thrown))
  }
}
