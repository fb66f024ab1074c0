import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'
import { literal, text } from './bind.ts'

/** A dataset's name with the CREATE TABLE statement of its schema. */
export interface TableSchema {
  readonly name: string
  readonly createSql: string
}

/** Parquet files without rows, for `read_parquet` of datasets that have no files. */
export interface EmptyFiles {
  /** Path of a dataset's empty file, which `ready` makes. */
  path(dataset: string): string
  /** Resolves once every path returned so far has its file. */
  ready(): Promise<void>
}

/**
 * Empty files in `<folder>/empty`. Each is made when a query first needs it: making all of them took most of the time
 * that opening an engine took, and most engines need two or three.
 */
export function openEmptyFiles(
  instance: DuckDBInstance,
  folder: string,
  schemas: readonly TableSchema[],
): EmptyFiles {
  const directory = join(folder, 'empty')
  mkdirSync(directory)
  const pathOf = (dataset: string) => join(directory, `${dataset}.parquet`)
  const needed = new Set<string>()
  const files = new Map<string, Promise<void>>()

  async function make(dataset: string): Promise<void> {
    const schema = schemas.find(({ name }) => name === dataset)
    if (schema === undefined) throw new Error(`the engine has no schema of the dataset "${dataset}"`)
    const connection = await instance.connect()
    try {
      await connection.run(schema.createSql)
      await connection.run(`COPY "${dataset}" TO ${literal(text(pathOf(dataset)))} (FORMAT parquet)`)
    } finally {
      await connection.run(`DROP TABLE IF EXISTS "${dataset}"`)
      connection.closeSync()
    }
  }

  return {
    path(dataset) {
      needed.add(dataset)
      return pathOf(dataset)
    },
    async ready() {
      for (const dataset of needed) {
        if (files.has(dataset)) continue
        const file = make(dataset)
        files.set(dataset, file)
        // A full disk may have space again when the next query comes.
        file.catch(() => files.delete(dataset))
      }
      await Promise.all(files.values())
    },
  }
}
