import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Observe } from '../engine/observation.ts'
import { openWriter, type Writer } from '../engine/writer.ts'
import { readCurrent } from './current.ts'
import { type Derived, derive } from './derive.ts'
import { withDraft } from './draft.ts'
import { type Canceling, cancelingBy } from './import-cancel.ts'
import { type ImportFormat, importName, inputHash } from './import-format.ts'
import { importFormat, listFormats } from './import-formats.ts'
import {
  type FoundFile,
  findFiles,
  type HashedFile,
  hashFiles,
  type Input,
  oneLine,
} from './import-inputs.ts'
import { isLake } from './import-place.ts'
import { byteProgress } from './import-progress.ts'
import { readInput } from './import-read.ts'
import {
  commonFaults,
  countRejects,
  type Fault,
  mostlyWrong,
  removeTraces,
  writeRejects,
} from './import-rejects.ts'
import { createIncoming, createTables } from './import-tables.ts'
import { knownInputs, land } from './land.ts'
import { lakeFolder } from './layout.ts'

export interface ImportReport {
  readonly format: string
  /** All files that were named, or found in the folders that were. */
  readonly files: number
  /** Those of them that the lake knows already, and copies of others. */
  readonly skipped: number
  /** Rows that went into the lake: of rows with the same key, the last one. */
  readonly rows: number
  readonly rejected: number
  /** The most common reasons why. */
  readonly faults: readonly Fault[]
  /** Path of the file that lists every rejected row; null if there is none. */
  readonly rejectsFile: string | null
  /** The lake's snapshot afterwards; null if there is still none. */
  readonly snapshot: number | null
  readonly published: boolean
  /** Partitions of the dataset itself whose files changed. */
  readonly partitions: readonly string[]
  /** Days of other datasets that were computed from these. */
  readonly derived: readonly Derived[]
}

export interface ImportOptions {
  readonly format: string
  /** Files and folders as the person gave them. */
  readonly inputs: readonly string[]
  readonly lake: string
  readonly observe: Observe
  readonly signal?: AbortSignal
  readonly memoryBytesMax?: number
  readonly threads?: number
}

/** The formats there are; each is a file in `sql/import`. */
export const importFormats: readonly { name: string; summary: string; dataset: string }[] = listFormats().map(
  ({ name, summary, dataset }) => ({ name, summary, dataset: dataset.name }),
)

/**
 * Imports files into a lake, which becomes one if it is not there yet: all of them in one snapshot, or nothing.
 * Files that the lake knows are skipped. Rows that do not fit are listed in a rejects file and counted.
 *
 * Throws Failure: `usage` for an unknown format; `input_refused` for a file that is missing, damaged, without the
 * needed columns or mostly wrong; `lake_missing` for a folder that holds something else; `canceled`; and what
 * landing throws.
 */
export async function importFiles(options: ImportOptions): Promise<ImportReport> {
  const { observe } = options
  const format = importFormat(options.format)
  const lake = lakeFolder(options.lake)
  const canceling = cancelingBy(options.signal)
  const exists = await isLake(lake)
  const files = await findFiles(options.inputs, format.kind)
  const hashed = await hashFiles(files, canceling, byteProgress('check files', bytesIn(files), observe))
  const inputs = unknownOf(format, hashed, exists ? await knownInputs(lake, format.dataset) : new Set())
  const report = { format: format.name, files: files.length, skipped: files.length - inputs.length }
  if (inputs.length === 0) return { ...report, ...NOTHING, snapshot: exists ? await readCurrent(lake) : null }

  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tapehouse-import-')))
  try {
    const writer = await openWriter({
      directories: [lake, folder],
      inputs: inputs.map(({ real }) => real),
      memoryBytesMax: options.memoryBytesMax,
      threads: options.threads,
    })
    try {
      const plan = { writer, format, lake, exists, inputs, folder, canceling, observe }
      return await canceling.around(writer, async () => ({ ...report, ...(await importInputs(plan)) }))
    } finally {
      writer.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const NOTHING = {
  rows: 0,
  rejected: 0,
  faults: [],
  rejectsFile: null,
  published: false,
  partitions: [],
  derived: [],
} as const

const bytesIn = (files: readonly FoundFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** The files whose content the lake does not know; of files with equal content, the first. */
function unknownOf(format: ImportFormat, files: readonly HashedFile[], known: ReadonlySet<string>): Input[] {
  const seen = new Set(known)
  return files
    .map(file => ({ ...file, hash: inputHash(format, file.sha256) }))
    .filter(({ hash }) => !seen.has(hash) && seen.add(hash))
}

interface Plan {
  readonly writer: Writer
  readonly format: ImportFormat
  readonly lake: string
  /** Whether the lake is there already. */
  readonly exists: boolean
  readonly inputs: readonly Input[]
  readonly folder: string
  readonly canceling: Canceling
  readonly observe: Observe
}

async function importInputs(plan: Plan) {
  const { writer, format, lake, exists, inputs, observe } = plan
  const hashes = inputs.map(({ hash }) => hash)
  const name = importName(format, hashes)
  await createTables(writer, format, plan.folder)
  const isInOrder = await readInputs(plan, name)

  const { rows, replaced, inOrder } = await createIncoming(writer, format, isInOrder)
  if (replaced > 0)
    observe({
      kind: 'notice',
      message: `${replaced} ${replaced === 1 ? 'row was' : 'rows were'} replaced by later rows with the same key`,
    })
  const rejected = await countRejects(writer)
  const faults = rejected === 0 ? [] : await commonFaults(writer)
  const before = await readCurrent(lake)
  try {
    // The rejects are on the disk before the rows are in the lake: a known file is not read again.
    const rejectsFile = rejected === 0 ? null : await writeRejects(writer, lake, name, inputs)
    const landed = await withDraft(writer, lake, observe, async draft => {
      const { partitions } = await land(draft, format.dataset, hashes, inOrder)
      const derived = partitions.length > 0 ? await derive(draft, { fedBy: [format.dataset.name] }) : []
      const published = draft.changed()
      return { snapshot: (await draft.publish(null)) || null, published, partitions, derived }
    })
    return { rows, rejected, faults, rejectsFile, ...landed }
  } catch (thrown) {
    if ((await readCurrent(lake)) === before) await removeTraces(lake, exists, name)
    throw thrown
  }
}

/**
 * Reads every file into the import's tables; answers whether all rows stand there in the lake's order. Throws Failure
 * `input_refused` for a file that is mostly wrong.
 */
async function readInputs(plan: Plan, name: string): Promise<boolean> {
  const { writer, format, lake, exists, inputs, observe } = plan
  const today = new Date().toISOString().slice(0, 10)
  const advance = byteProgress(`import ${format.name}`, bytesIn(inputs), observe)
  const unused = unusedNotices(observe)
  let isInOrder = false
  const inOrder = () => {
    isInOrder = true
  }
  const reading = { ...plan, today, advance, unused, ...(inputs.length === 1 ? { inOrder } : {}) }
  for (const [file, input] of inputs.entries()) {
    const records = await readInput(reading, file, input)
    const rejected = await countRejects(writer, file)
    if (rejected * 2 <= records) continue
    const rejectsFile = exists ? await writeRejects(writer, lake, name, inputs) : null
    throw await mostlyWrong(writer, file, input, rejected, records, rejectsFile)
  }
  return isInOrder
}

/** Tells of columns that an import makes no use of, once for files that have the same ones. */
function unusedNotices(observe: Observe) {
  const told = new Set<string>()
  return ({ shown }: Input, columns: readonly string[]) => {
    const names = columns.map(oneLine).join(', ')
    if (names === '' || told.has(names)) return
    told.add(names)
    observe({ kind: 'notice', message: `columns of ${shown} that are not imported: ${names}` })
  }
}
