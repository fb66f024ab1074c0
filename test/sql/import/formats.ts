import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Observation } from '../../../src/engine/observation.ts'
import { type ImportOptions, importFiles } from '../../../src/lake/import/import.ts'
import type { ImportReport } from '../../../src/lake/import/report.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { THREADS } from '../../fixtures/threads.ts'
import { parseCsv, query } from '../../lake/import/importing.ts'

/** A lake that is not there yet, and files of one format to import into it. */
export function importingFormat(format: string) {
  const folder = folderForTest()
  const lake = join(folder, 'lake')
  const observed: Observation[] = []
  const shared = { format, lake, threads: THREADS, observe: (each: Observation) => void observed.push(each) }
  let last: ImportReport | undefined
  return {
    folder,
    lake,
    notices: () => observed.flatMap(each => (each.kind === 'notice' ? [each.message] : [])),
    /** Writes a file, by its bytes, its text or its lines, and answers its path. */
    file(name: string, content: Uint8Array | string | readonly string[]): string {
      const path = join(folder, name)
      writeFileSync(
        path,
        Array.isArray(content) ? `${content.join('\n')}\n` : (content as Uint8Array | string),
      )
      return path
    },
    /** Imports files; `options` are what a person says with the format's flags. */
    async import(inputs: readonly string[], more: Partial<ImportOptions> = {}): Promise<ImportReport> {
      last = await importFiles({ ...shared, inputs, ...more })
      return last
    },
    /** The message of the refusal of all files, `code: message`. Throws if the import succeeds. */
    async refusal(inputs: readonly string[], more: Partial<ImportOptions> = {}): Promise<string> {
      const outcome: unknown = await importFiles({ ...shared, isAllOrNothing: true, inputs, ...more }).catch(
        (thrown: unknown) => thrown,
      )
      if (!(outcome instanceof Error)) throw new Error(`not refused: ${JSON.stringify(outcome)}`)
      return `${Reflect.get(outcome, 'code')}: ${outcome.message}`
    },
    /** Rows of a query on `bars`, which is all of a dataset, each with its values joined by blanks, NULL as `-`. */
    rows: (sql: string, dataset: string) => query(lake, dataset, sql),
    /** What the last import rejected, as `line|column|reason|value`. */
    rejects(): string[] {
      const path = last?.rejectsFile
      if (!path || !existsSync(path)) return []
      const [, ...records] = parseCsv(readFileSync(path, 'utf8'))
      return records.map(([, ...values]) => values.join('|'))
    },
  }
}
