import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import { openWriter, type Writer } from '../../engine/writer.ts'
import { dayOf } from '../../market/day.ts'
import { type Derived, derive } from '../derive/derive.ts'
import { withDraft } from '../land/draft.ts'
import { knownInputs } from '../land/land.ts'
import { readCurrent } from '../store/current.ts'
import { lakeFolder } from '../store/layout.ts'
import { type ImportFormat, importName, inputHash } from './format/format.ts'
import { importFormat } from './format/formats.ts'
import { type Canceling, cancelingBy } from './input/cancel.ts'
import {
  endingsOf,
  type FoundFile,
  findFiles,
  type HashedFile,
  hashFiles,
  type Input,
  oneLine,
} from './input/inputs.ts'
import { landRows, showHeld } from './land.ts'
import { byteProgress } from './progress.ts'
import { readInput } from './read.ts'
import { type Account, accountsOf, rowsOf } from './rows/accounts.ts'
import { mapAll } from './rows/mapping.ts'
import { isLake } from './rows/place.ts'
import {
  commonFaults,
  countRejects,
  type Fault,
  mostlyWrong,
  removeTraces,
  writeRejects,
} from './rows/rejects.ts'
import { createTables } from './rows/tables.ts'

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
  /** What was left out of rows that were kept, most common first. */
  readonly notes: readonly Fault[]
  /** What became of each file that was read. */
  readonly accounts: readonly Account[]
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
  /** What the person says with the format's options, by their names. */
  readonly options?: Readonly<Record<string, string>>
  readonly lake: string
  readonly observe: Observe
  readonly signal?: AbortSignal
  readonly memoryBytesMax?: number
  readonly threads?: number
}

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
  const said = saidWith(format, options.options ?? {})
  const lake = lakeFolder(options.lake)
  const canceling = cancelingBy(options.signal)
  const exists = await isLake(lake)
  const files = await findFiles(options.inputs, endingsOf(format.sources))
  const hashed = await hashFiles(files, canceling, byteProgress('check files', bytesIn(files), observe))
  const known = exists
    ? await Promise.all(format.mappings.map(({ dataset }) => knownInputs(lake, dataset)))
    : []
  const inputs = unknownOf(format, said, hashed, new Set(known.flatMap(each => [...each])))
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
      const plan = { writer, format, said, lake, exists, inputs, folder, canceling, observe }
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
  notes: [],
  accounts: [],
  rejectsFile: null,
  published: false,
  partitions: [],
  derived: [],
} as const

const bytesIn = (files: readonly FoundFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * The files whose content the lake does not know; of files with equal content, the first. Where files are read together,
 * known ones beside new ones are read again: the new ones may need them.
 */
function unknownOf(
  format: ImportFormat,
  said: Readonly<Record<string, string>>,
  hashed: readonly HashedFile[],
  known: ReadonlySet<string>,
): Input[] {
  const inputs = hashed.map(file => ({ ...file, hash: inputHash(format, said, file.sha256) }))
  const isTogether = format.sources.length > 1 && inputs.some(({ hash }) => !known.has(hash))
  const seen = new Set(isTogether ? [] : known)
  return inputs.filter(({ hash }) => !seen.has(hash) && seen.add(hash))
}

/** What the person said, with the format's own options only. Throws Failure `usage` for any other. */
function saidWith(format: ImportFormat, said: Readonly<Record<string, string>>) {
  const names = format.options.map(({ name }) => name)
  const strange = Object.keys(said).find(name => !names.includes(name))
  if (strange !== undefined)
    throw new Failure(
      'usage',
      `${format.name} takes no --${strange}: ${names.length === 0 ? 'it has no options' : `it has ${names.map(name => `--${name}`).join(', ')}`}`,
    )
  return said
}

interface Plan {
  readonly writer: Writer
  readonly format: ImportFormat
  readonly said: Readonly<Record<string, string>>
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
  const { isInOrder, records, reading } = await readInputs(plan, name)
  const before = await readCurrent(lake)
  let isMostlyWrong = false
  try {
    return await withDraft(writer, lake, observe, async draft => {
      if (!format.isAlone) {
        for (const dataset of format.reads) await showHeld(draft, dataset)
        await mapAll(reading)
        isMostlyWrong = true
        for (const file of inputs.keys())
          await assertMostlyRight(plan, name, file, Math.max(records[file] ?? 0, await rowsOf(writer, file)))
        isMostlyWrong = false
      }
      const accounts = await accountsOf(writer, inputs, records, format.canonical !== null)
      const rejected = await countRejects(writer)
      // The rejects are on the disk before the rows are in the lake: a known file is not read again.
      const rejectsFile = rejected === 0 ? null : await writeRejects(writer, lake, name, inputs)
      const taken = hashes.filter((_, file) => records[file] !== null)
      const landed = await landRows(draft, format, taken, isInOrder)
      const fed = format.mappings.map(({ dataset }) => dataset.name)
      const derived = landed.partitions.length > 0 ? await derive(draft, { fedBy: fed }) : []
      const published = draft.changed()
      const snapshot = (await draft.publish(null)) || null
      const faults = await commonFaults(writer)
      const notes = await commonFaults(writer, { of: 'import_notes' })
      return { ...landed, rejected, faults, notes, accounts, rejectsFile, snapshot, published, derived }
    })
  } catch (thrown) {
    if ((await readCurrent(lake)) === before && !(exists && isMostlyWrong))
      await removeTraces(lake, exists, name)
    throw thrown
  }
}

/**
 * Reads every file into the import's tables; answers how many records each has, and whether all rows stand there in the
 * lake's order. Throws Failure `input_refused` for a file that is mostly wrong.
 */
async function readInputs(plan: Plan, name: string) {
  const { format, inputs, observe } = plan
  const today = dayOf(Date.now())
  const advance = byteProgress(`import ${format.name}`, bytesIn(inputs), observe)
  const unused = unusedNotices(observe)
  let isInOrder = false
  const inOrder = () => {
    isInOrder = true
  }
  const left = (why: string) => observe({ kind: 'notice', message: `left out: ${why}` })
  const reading = { ...plan, today, advance, unused, left, ...(inputs.length === 1 ? { inOrder } : {}) }
  const records: (number | null)[] = []
  for (const [file, input] of inputs.entries()) {
    const found = await readInput(reading, file, input)
    records.push(found)
    if (format.isAlone) await assertMostlyRight(plan, name, file, found ?? 0)
  }
  return { isInOrder, records, reading }
}

/** Refuses a file if more than half of so many rows are rejected. */
async function assertMostlyRight(
  { writer, lake, exists, inputs }: Plan,
  name: string,
  file: number,
  rows: number,
) {
  const input = inputs[file]
  const rejected = await countRejects(writer, file)
  if (input === undefined || rejected * 2 <= rows) return
  const rejectsFile = exists ? await writeRejects(writer, lake, name, inputs) : null
  throw await mostlyWrong(writer, file, input, rejected, rows, rejectsFile)
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
