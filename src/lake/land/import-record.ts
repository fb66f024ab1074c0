import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { systemCode } from '../../engine/failure.ts'
import { damaged, parseFormatted, readText } from '../store/format.ts'
import { IMPORTS } from '../store/layout.ts'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0 })
const Bounds = Type.Tuple([Type.String(), Type.String()])
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()])

/** The first and the last day of rows, and the least and the greatest value of their main key; null: not known. */
const Extent = Type.Object({ days: Bounds, keys: OrNull(Bounds) })
export type Extent = Static<typeof Extent>

/** A ticker as a file has it, and as the lake has it. */
const RenamedTicker = Type.Object({ written: Type.String(), ticker: Type.String() })
export type RenamedTicker = Static<typeof RenamedTicker>

/** What an import did. */
const Landed = Type.Object({
  /** The snapshot that it made, which is the number of the import. */
  snapshot: Type.Integer({ minimum: 1 }),
  /** The name of the event before, of the import or undo; null for the first of the lake. */
  previous: OrNull(Type.String()),
  /** Accepted rows, and rejected ones. */
  rows: Count,
  rejected: Count,
  /** The datasets of its format. */
  datasets: Type.Record(
    Type.String(),
    Type.Object({
      /** Rows with a new key, and rows in place of rows with the same key. */
      added: Count,
      replaced: Count,
      /** Rows of its files that later rows of its files replaced. */
      repeated: Count,
      extent: OrNull(Extent),
    }),
  ),
  /** The name of the file that lists the replaced partitions. */
  undo: Type.String(),
  /** The last closed day before and after it, if it closed any. */
  closed: Type.Optional(Type.Object({ before: OrNull(Type.String()), after: Type.String() })),
  /** The mark of generated data that it ended. */
  generated: Type.Optional(Type.String()),
})

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
      bytes: Count,
      sha256: Sha256,
      /** The hash in `inputs` of the manifests of the partitions that have rows of the file. */
      input: Sha256,
      /** The extent of its rows by dataset. Without it: that of the import. */
      extents: Type.Optional(Type.Record(Type.String(), Extent)),
    }),
  ),
  /** The names of the layouts that its files have. Earlier versions did not record them. */
  layouts: Type.Optional(Type.Array(Type.String())),
  /** Tickers with a suffix that files have in another form than the lake; not all of very many. */
  renamed: Type.Optional(Type.Array(RenamedTicker)),
  /** Earlier versions did not record it. */
  landed: Type.Optional(Landed),
})

/** The input files of one import, and what it did. */
export type ImportRecord = Static<typeof ImportRecord>

const UndoRecord = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  time: Type.String(),
  /** The number of the import that was undone. */
  undoes: Type.Integer({ minimum: 1 }),
  /** The snapshot that it made. */
  snapshot: Type.Integer({ minimum: 1 }),
  previous: OrNull(Type.String()),
})

/** The record of an import that was undone. */
export type UndoRecord = Static<typeof UndoRecord>

const importShape = Compile(ImportRecord)
const undoShape = Compile(UndoRecord)

const NAME = /^[0-9a-f]{32}\.json$/

/** Reads the record of an import or an undo by its name, as in a snapshot's record. Throws lake_damaged or lake_newer. */
export async function readEvent(lake: string, name: string): Promise<ImportRecord | UndoRecord> {
  const path = join(lake, name)
  const text = await readText(path)
  if (text === null) throw damaged(path, 'it does not exist')
  const value = parseFormatted(path, text)
  if (importShape.Check(value)) return value
  if (!undoShape.Check(value)) throw damaged(path, 'it is not the record of an import')
  return value
}

/** All records of a lake, of imports and of their undo, by name. Throws lake_damaged or lake_newer. */
export async function readEvents(lake: string): Promise<Map<string, ImportRecord | UndoRecord>> {
  const names = await readdir(join(lake, IMPORTS)).catch(thrown => {
    if (systemCode(thrown) === 'ENOENT') return []
    throw damaged(join(lake, IMPORTS), `it cannot be read (${systemCode(thrown)})`, thrown)
  })
  const own = names.filter(each => NAME.test(each)).map(each => `${IMPORTS}/${each}`)
  const events = new Map<string, ImportRecord | UndoRecord>()
  for (let from = 0; from < own.length; from += READS) {
    const some = own.slice(from, from + READS)
    const read = await Promise.all(some.map(async name => [name, await readEvent(lake, name)] as const))
    for (const [name, event] of read) events.set(name, event)
  }
  return events
}

/** The number of records read concurrently. */
const READS = 32
