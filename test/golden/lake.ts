import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { literal, text } from '../../src/engine/bind.ts'
import { completed } from '../../src/engine/computed-columns.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Writer } from '../../src/engine/writer.ts'
import { withDraft } from '../../src/lake/land/draft.ts'
import { land } from '../../src/lake/land/land.ts'
import { type Dataset, dataset } from '../../src/lake/store/datasets.ts'
import { loadSnapshot, type Snapshot } from '../../src/lake/store/snapshot.ts'
import { identifier } from '../../src/lake/store/sorted-files.ts'
import { engineFor } from '../fixtures/service.ts'
import { sharedWriter } from '../fixtures/shared-writer.ts'

/** A lake made of rows that people can read, with an engine over it. */
export interface GoldenLake {
  readonly snapshot: Snapshot
  /** The same without pruning: templates must be right by themselves, over all files. */
  readonly whole: Snapshot
  readonly engine: Engine
}

/**
 * Makes a lake of `<source>/<dataset>.csv`, below `folder`. A column that a file leaves out is null, or 0, false,
 * empty where it may not be null. An empty field is null, `""` the empty text, `[a, b]` a list.
 */
export async function goldenLake(source: string, folder: string): Promise<GoldenLake> {
  if (!existsSync(source)) throw new Error(`there is no lake ${source}`)
  const lake = join(folder, 'lake')
  const rows = join(folder, 'rows')
  const sources = readdirSync(source).filter(file => file.endsWith('.csv'))
  for (const name of sources) cpSync(join(source, name), join(rows, name))
  // A connection of its own: the temporary tables of other tests are not in it.
  const writer = await (await sharedWriter()).beside()
  const silent = () => {}
  try {
    await withDraft(writer, lake, silent, async draft => {
      for (const name of sources.sort()) {
        const each = dataset(name.replace('.csv', ''))
        await loadRows(writer, each, join(rows, name))
        await land(draft, each)
        await writer.run('DROP TABLE incoming')
      }
      await draft.publish({ generated: null })
    })
  } finally {
    writer.close()
  }
  const snapshot = await loadSnapshot(lake)
  const whole = { ...snapshot, files: (name: string) => snapshot.files(name) }
  return { snapshot, whole, engine: await engineFor(lake, silent, { storeBytesMax: 64 * 1024 ** 2 }) }
}

const ZEROS: Readonly<Record<string, string>> = {
  BOOLEAN: 'false',
  VARCHAR: `''`,
  UUID: `'00000000-0000-0000-0000-000000000000'`,
  DATE: `'2000-01-01'`,
  TIMESTAMP: `'2000-01-01'`,
}

async function loadRows(writer: Writer, { name, columns, computed }: Dataset, path: string): Promise<void> {
  const given = (readFileSync(path, 'utf8').split('\n')[0] ?? '').trim().split(',')
  const texts = given.map(column => `${literal(text(column))}: 'VARCHAR'`)
  const file = `read_csv(${literal(text(path))}, columns = {${texts.join(', ')}}, header = true, auto_detect = false, delim = ',', quote = '"', escape = '"', allow_quoted_nulls = false)`
  const strange = given.find(column => !columns.some(each => each.name === column))
  if (strange !== undefined) throw new Error(`${path}: ${name} has no column ${strange}`)
  const values = columns.map(column => {
    const type = column.type.replace(/\(.*\)/, '')
    const zero = type.endsWith('[]') ? '[]' : (ZEROS[type] ?? '0')
    const value = given.includes(column.name) ? identifier(column.name) : column.nullable ? 'NULL' : zero
    return `CAST(${value} AS ${column.type}) AS ${identifier(column.name)}`
  })
  const rows = `SELECT ${values.join(', ')} FROM ${file}`
  const whole = computed === null ? rows : completed(computed, `(${rows})`)
  await writer.run(`CREATE TEMP TABLE incoming AS ${whole}`)
}
