import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { systemCode } from '../../engine/failure.ts'
import type { Base } from '../publish/base.ts'
import { contentHash } from '../store/content.ts'
import { createFile, makeFolder, renameFile, syncFolder } from '../store/durable.ts'
import { damaged, parseFormatted, readText } from '../store/format.ts'
import { IMPORTS } from '../store/layout.ts'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })

const ImportRecord = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  /** When the files were imported: ISO 8601, UTC. */
  time: Type.String(),
  /** The import format, such as `option-trades`. */
  import_format: Type.String(),
  files: Type.Array(
    Type.Object({
      /** The file's name without its folders. */
      name: Type.String(),
      bytes: Type.Integer({ minimum: 0 }),
      sha256: Sha256,
      /** The hash in `inputs` of the manifests of the partitions that have rows of the file. */
      input: Sha256,
    }),
  ),
})

/** The input files of one import. */
export type ImportRecord = Static<typeof ImportRecord>

const shape = Compile(ImportRecord)

const NAME = /^[0-9a-f]{32}\.json$/

/**
 * Writes the record of an import under its content name, before the snapshot that names it. Returns the name. If the
 * import then fails, the record stays and nothing names it.
 */
export async function writeImportRecord({ lake, staging }: Base, record: ImportRecord): Promise<string> {
  const text = `${JSON.stringify(record)}\n`
  const file = `${contentHash(text)}.json`
  const target = join(lake, IMPORTS, file)
  if (existsSync(target)) return `${IMPORTS}/${file}`
  const temporary = join(staging, `${IMPORTS}.${file}`)
  await createFile(temporary, text)
  await makeFolder(join(lake, IMPORTS))
  await renameFile(temporary, target)
  await syncFolder(join(lake, IMPORTS))
  return `${IMPORTS}/${file}`
}

/** Reads the import record of that name, as in a snapshot's record. Throws lake_damaged or lake_newer. */
export async function readImportRecord(lake: string, name: string): Promise<ImportRecord> {
  const path = join(lake, name)
  const text = await readText(path)
  if (text === null) throw damaged(path, 'it does not exist')
  const value = parseFormatted(path, text)
  if (!shape.Check(value)) throw damaged(path, 'it is not the record of an import')
  return value
}

/** All import records of a lake, the oldest first. Throws lake_damaged or lake_newer. */
export async function importRecords(lake: string): Promise<ImportRecord[]> {
  const names = await readdir(join(lake, IMPORTS)).catch(thrown => {
    if (systemCode(thrown) === 'ENOENT') return []
    throw damaged(join(lake, IMPORTS), `it cannot be read (${systemCode(thrown)})`, thrown)
  })
  const records: ImportRecord[] = []
  for (const name of names.filter(each => NAME.test(each)).toSorted())
    records.push(await readImportRecord(lake, `${IMPORTS}/${name}`))
  return records.toSorted((one, other) => (one.time < other.time ? -1 : 1))
}
