import { tmpdir } from 'node:os'
import { openEngine } from '../../src/engine/engine.ts'
import { openInstance } from '../../src/engine/instance.ts'
import { temporaryFolder } from '../../src/engine/temporary-folder.ts'
import { dataset } from '../../src/lake/store/datasets.ts'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'
import type { Parameters } from '../measure/lake-rows.ts'
import { bareRun, statementsOf } from './statements.ts'

const ENGINE = { threads: 1, memoryBytesMax: 1024 ** 3, temporaryBytesMax: 1024 ** 3 }

export interface FileReads {
  readonly files: number
  readonly bytes: number
}

/** What an engine that has read nothing yet reads for an answer from files: the log of its file system. */
export async function fileReads(lake: string, operation: string, parameters: Parameters): Promise<FileReads> {
  const snapshot = await loadSnapshot(lake)
  const engine = await openEngine({ ...ENGINE, lake, leasesMax: 1, queueMax: 8, schemaOf: dataset }, () => {})
  const temporaryDirectory = temporaryFolder('query')
  const instance = await openInstance({ ...ENGINE, directories: [lake, tmpdir()], temporaryDirectory })
  const connection = await instance.connect()
  try {
    const run = await bareRun(await statementsOf(operation, parameters, snapshot, engine), engine, connection)
    await connection.run(`CALL enable_logging('FileSystem')`)
    await run()
    const found = await connection.run(`
      SELECT count(DISTINCT path)::INTEGER, coalesce(sum(bytes) FILTER (op = 'READ'), 0)::DOUBLE
      FROM duckdb_logs_parsed('FileSystem')
      WHERE path LIKE '%.parquet'`)
    const [[files, bytes] = []] = await found.getRowsJS()
    return { files: Number(files), bytes: Number(bytes) }
  } finally {
    connection.closeSync()
    instance.closeSync()
    await engine.close()
  }
}
