import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'
import type { ComputedColumns } from './computed-columns.ts'
import { prepareCopy } from './sandbox/gate.ts'

/** A dataset's name with the CREATE TABLE statement of its schema. */
export interface TableSchema {
  readonly name: string
  readonly createSql: string
  /** Default: not known. */
  readonly columns?: readonly { readonly name: string }[]
  /** The columns that are computed from others where files lack them; null if there are none. */
  readonly computed?: ComputedColumns | null
}

/** Parquet files without rows, for `read_parquet` of datasets that have no files. */
export interface EmptyFiles {
  /** Path of a dataset's empty file, which `ready` makes. */
  path(schema: TableSchema): string
  /**
   * Resolves once every path returned so far has its file; with `paths`, once those of them have that are among these. One that
   * cannot be made, on a full disk, is only in the way of who reads it.
   */
  ready(paths?: readonly string[]): Promise<void>
}

/**
 * Empty files in `<folder>/empty`. Each is made when a query first needs it: making all of them took most of the time
 * that opening an engine took, and most engines need two or three.
 */
export function openEmptyFiles(instance: DuckDBInstance, folder: string): EmptyFiles {
  const directory = join(folder, 'empty')
  mkdirSync(directory)
  const pathOf = (dataset: string) => join(directory, `${dataset}.parquet`)
  const needed = new Set<TableSchema>()
  const files = new Map<TableSchema, Promise<void>>()
  const made = new Set<TableSchema>()

  async function make({ name, createSql }: TableSchema): Promise<void> {
    mkdirSync(directory, { recursive: true })
    const connection = await instance.connect()
    try {
      await connection.run(createSql.replace('CREATE TABLE', 'CREATE OR REPLACE TEMP TABLE'))
      const copy = await prepareCopy(connection, `FROM "${name}"`, pathOf(name), directory)
      await copy.run()
      copy.destroySync()
    } finally {
      connection.closeSync()
    }
  }

  return {
    path(schema) {
      needed.add(schema)
      return pathOf(schema.name)
    },
    async ready(paths) {
      const awaited: (Promise<void> | undefined)[] = []
      for (const schema of needed) {
        if (paths !== undefined && !paths.includes(pathOf(schema.name))) continue
        // Programs that clean the temporary folder of the system remove files that are some days old.
        const isGone = made.has(schema) && !existsSync(pathOf(schema.name))
        if (!files.has(schema) || isGone) {
          made.delete(schema)
          const file = make(schema).then(() => {
            made.add(schema)
          })
          files.set(schema, file)
          // The next query tries again: a full disk may have space then.
          file.catch(() => files.delete(schema))
        }
        awaited.push(files.get(schema))
      }
      await Promise.all(awaited)
    },
  }
}
