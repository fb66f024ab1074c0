import { dirname, join } from 'node:path'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { literalText } from '../encode/rewrite.ts'
import { prepareSelect } from './gate.ts'

/** An attempt that was not refused as it must be. */
export interface Breach {
  /** What was tried: `reading a file outside the lake`. */
  readonly what: string
  /** Whether it was permitted. Otherwise it failed for another reason, so that nothing is known. */
  readonly isOpen: boolean
  readonly reason: string
}

interface Attempt {
  readonly what: string
  readonly sql: string
}

/**
 * What the engine itself must refuse. None of them changes anything if it is permitted: a COPY is only prepared, and a
 * setting keeps its value.
 */
const ofEngine = (lake: string): readonly Attempt[] => {
  const outside = literalText(join(dirname(lake), 'tapehouse-sandbox.parquet'))
  return [
    {
      what: 'reading a file outside the lake',
      sql: `SELECT size FROM read_blob(${literalText(process.execPath)})`,
    },
    { what: 'writing a file outside the lake', sql: `COPY (SELECT 1) TO ${outside}` },
    { what: 'loading an extension', sql: 'LOAD httpfs' },
    { what: 'installing an extension', sql: `INSTALL httpfs FROM ${outside}` },
    { what: 'changing a setting', sql: `SET GLOBAL TimeZone = 'UTC'` },
    { what: 'unlocking the settings', sql: 'RESET GLOBAL lock_configuration' },
    { what: 'reaching the network', sql: `SELECT * FROM read_text('http://127.0.0.1:9/')` },
  ]
}

/** What the gate must refuse, and the settings of the engine permit. These statements never run. */
const ofGate = (lake: string): readonly Attempt[] => {
  const inside = literalText(join(lake, 'tapehouse-sandbox.parquet'))
  return [
    { what: 'copying into the lake', sql: `COPY (SELECT 1) TO ${inside}` },
    { what: 'attaching a file in the lake', sql: `ATTACH ${inside}` },
    { what: 'exporting into the lake', sql: `EXPORT DATABASE ${inside}` },
    { what: 'logging into the lake', sql: `FROM enable_logging(storage_path = ${inside})` },
    { what: 'creating a table', sql: 'CREATE TABLE sandbox AS SELECT 1' },
    { what: 'running two statements', sql: 'SELECT 1; SELECT 2' },
  ]
}

/** How the engine and the gate refuse. */
const REFUSAL =
  /^Permission Error: |the configuration has been locked|^the gate refuses|^Invalid Input Error: Cannot prepare multiple statements/

/** Tries what the serving path must refuse. Returns what it did not refuse: nothing, if the sandbox holds. */
export async function breaches(instance: DuckDBInstance, lake: string): Promise<readonly Breach[]> {
  const connection = await instance.connect()
  try {
    return await breachesOn(connection, lake)
  } finally {
    connection.closeSync()
  }
}

async function breachesOn(connection: DuckDBConnection, lake: string): Promise<readonly Breach[]> {
  const found: Breach[] = []
  const attempt = async (what: string, run: () => Promise<void>) => {
    try {
      await run()
      found.push({ what, isOpen: true, reason: 'it was permitted' })
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown)
      const [reason = ''] = message.split('\n', 1)
      if (!REFUSAL.test(reason)) found.push({ what, isOpen: false, reason })
    }
  }
  for (const { what, sql } of ofEngine(lake))
    await attempt(what, async () => {
      const statement = await connection.prepare(sql)
      try {
        if (!sql.startsWith('COPY')) await statement.run()
      } finally {
        statement.destroySync()
      }
    })
  for (const { what, sql } of ofGate(lake))
    await attempt(what, async () => {
      const statement = await prepareSelect(connection, sql)
      statement.destroySync()
    })
  return found
}
