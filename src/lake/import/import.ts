import { realpath, rm } from 'node:fs/promises'
import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import { temporaryFolder } from '../../engine/temporary-folder.ts'
import { openWriter, type Writer } from '../../engine/writer.ts'
import { dayOf } from '../../market/day.ts'
import { type Derived, derive, together } from '../derive/derive.ts'
import { withDraft } from '../land/draft.ts'
import { knownInputs } from '../land/land.ts'
import { assertWritable } from '../publish/base.ts'
import { readCurrent } from '../store/current.ts'
import { lakeFolder, locator } from '../store/layout.ts'
import { closeDays } from './close.ts'
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
} from './input/inputs.ts'
import { landRows, showHeld } from './land.ts'
import { byteProgress } from './progress.ts'
import { readInput } from './read.ts'
import { importRecordOf } from './record.ts'
import { type ImportReport, NOTHING } from './report.ts'
import { accountsOf, rowsOf } from './rows/accounts.ts'
import { mapAll } from './rows/mapping.ts'
import { isLake } from './rows/place.ts'
import { commonFaults, countRejects, mostlyWrong, removeTraces, writeRejects } from './rows/rejects.ts'
import { clearMapped, createTables } from './rows/tables.ts'
import { unusedNotices } from './unused.ts'

export interface ImportOptions {
  readonly format: string
  /** Files and folders, as the user specified them. */
  readonly inputs: readonly string[]
  /** The user's values of the format's options, by name. */
  readonly options?: Readonly<Record<string, string>>
  readonly lake: string
  readonly observe: Observe
  readonly signal?: AbortSignal
  readonly memoryBytesMax?: number
  readonly threads?: number
  /** Closes the trading days up to this one, `YYYY-MM-DD`, in the same snapshot. */
  readonly close?: string
  /** Rejects a row with a note or a warning. Default: false. */
  readonly isStrict?: boolean
}

/**
 * Imports files into a lake, which is created if it does not exist: all files in one snapshot, or nothing. Files that
 * were imported before are skipped. Invalid rows are counted and listed in a rejects file.
 *
 * Throws Failure: `usage` for an unknown format or option; `input_refused` for a file that is missing, damaged, lacks
 * required columns or is mostly invalid; `lake_missing` for a folder that is not a lake and not empty; `canceled`; and
 * the failures of `land`.
 */
export async function importFiles(options: ImportOptions): Promise<ImportReport> {
  const { observe } = options
  const format = importFormat(options.format)
  const formatOptions = checkOptions(format, options.options ?? {})
  const lake = lakeFolder(options.lake)
  const canceling = cancelingBy(options.signal)
  const exists = await isLake(lake)
  const files = await findFiles(options.inputs, endingsOf(format.sources))
  const hashed = await hashFiles(files, canceling, byteProgress('check files', bytesIn(files), observe))
  if (exists) await assertWritable(lake)
  const known = exists
    ? await Promise.all(format.mappings.map(({ dataset }) => knownInputs(lake, dataset)))
    : []
  const isStrict = options.isStrict ?? false
  const knownHashes = new Set(known.flatMap(each => [...each]))
  const inputs = newInputs(format, formatOptions, isStrict, hashed, knownHashes)
  const report = { format: format.name, files: files.length, skipped: files.length - inputs.length }
  const close = options.close ?? null
  if (inputs.length === 0)
    return { ...report, ...NOTHING, ...(exists ? await closeDays(lake, close) : { snapshot: null }) }

  const folder = await realpath(temporaryFolder('import'))
  try {
    const writer = await openWriter({
      directories: [lake, folder],
      locate: locator(lake),
      inputs: inputs.map(({ real }) => real),
      memoryBytesMax: options.memoryBytesMax,
      threads: options.threads,
    })
    try {
      const plan = {
        writer,
        format,
        options: formatOptions,
        isStrict,
        lake,
        exists,
        inputs,
        folder,
        canceling,
        observe,
        close,
      }
      return await canceling.around(writer, async () => ({ ...report, ...(await importInputs(plan)) }))
    } finally {
      writer.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const bytesIn = (files: readonly FoundFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * The files that were not imported before; of files with equal content, the first. If a format reads its files
 * together, one new file makes all of them new, because it may need the others.
 */
function newInputs(
  format: ImportFormat,
  options: Readonly<Record<string, string>>,
  isStrict: boolean,
  hashed: readonly HashedFile[],
  known: ReadonlySet<string>,
): Input[] {
  const inputs = hashed.map(file => ({ ...file, hash: inputHash(format, options, isStrict, file.sha256) }))
  const isTogether = format.sources.length > 1 && inputs.some(({ hash }) => !known.has(hash))
  const seen = new Set(isTogether ? [] : known)
  return inputs.filter(({ hash }) => !seen.has(hash) && seen.add(hash))
}

/** Throws Failure `usage` for an option that the format does not have. */
function checkOptions(format: ImportFormat, options: Readonly<Record<string, string>>) {
  const names = format.options.map(({ name }) => name)
  const strange = Object.keys(options).find(name => !names.includes(name))
  if (strange !== undefined)
    throw new Failure(
      'usage',
      `${format.name} has no option --${strange}: ${names.length === 0 ? 'it has no options' : `it has ${names.map(name => `--${name}`).join(', ')}`}`,
    )
  return options
}

interface Plan {
  readonly writer: Writer
  readonly format: ImportFormat
  readonly options: Readonly<Record<string, string>>
  readonly isStrict: boolean
  readonly lake: string
  /** Whether the lake existed before the import. */
  readonly exists: boolean
  readonly inputs: readonly Input[]
  readonly folder: string
  readonly canceling: Canceling
  readonly observe: Observe
  readonly close: string | null
}

async function importInputs(plan: Plan) {
  const { writer, format, lake, exists, inputs, observe, close } = plan
  const hashes = inputs.map(({ hash }) => hash)
  const name = importName(format, hashes)
  await createTables(writer, format, plan.folder)
  const { isInOrder, records, reading } = await readInputs(plan, name)
  const before = await readCurrent(lake)
  const imported = importRecordOf(format.name, inputs)
  const broken = await countRejects(writer)
  let derived: Derived[] = []
  const making = { made_by: `import ${format.name}`, generated: null, closed: close }
  let isMostlyWrong = false
  try {
    return await withDraft(
      writer,
      lake,
      observe,
      async draft => {
        if (!format.isAlone && draft.isAnew) {
          await clearMapped(writer, format, broken)
          for (const dataset of format.reads) await showHeld(draft, dataset)
          await mapAll(reading)
          isMostlyWrong = true
          for (const file of inputs.keys())
            await assertMostlyRight(
              plan,
              name,
              file,
              Math.max(records[file] ?? 0, await rowsOf(writer, file)),
            )
          isMostlyWrong = false
        }
        const accounts = await accountsOf(writer, inputs, records, format.canonical !== null)
        const rejected = await countRejects(writer)
        // The rejects are written before the rows are published, because an imported file is not read again.
        const rejectsFile = rejected === 0 ? null : await writeRejects(writer, lake, name, inputs)
        const taken = hashes.filter((_, file) => records[file] !== null)
        const landed = await landRows(draft, format, taken, isInOrder)
        const fed = format.mappings.map(({ dataset }) => dataset.name)
        if (landed.partitions.length > 0) derived = together(derived, await derive(draft, { fedBy: fed }))
        const snapshot = (await draft.publish(making, imported)) || null
        const published = (snapshot ?? 0) > draft.base.number
        const faults = await commonFaults(writer)
        const notes = await commonFaults(writer, { of: 'import_notes' })
        const warnings = await commonFaults(writer, { of: 'import_warnings' })
        return {
          ...landed,
          rejected,
          faults,
          notes,
          warnings,
          accounts,
          rejectsFile,
          snapshot,
          published,
          derived,
        }
      },
      { reads: format.reads },
    )
  } catch (thrown) {
    if ((await readCurrent(lake)) === before && !(exists && isMostlyWrong))
      await removeTraces(lake, exists, name)
    throw thrown
  }
}

/**
 * Reads every file into the import's tables. Returns the number of records of each (null if it was skipped), and
 * whether all rows are in the lake's order. Throws Failure `input_refused` for a file that is mostly invalid.
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
  const skipped = (reason: string) => observe({ kind: 'notice', message: `skipped: ${reason}` })
  const reading = { ...plan, today, advance, unused, skipped, ...(inputs.length === 1 ? { inOrder } : {}) }
  const records: (number | null)[] = []
  for (const [file, input] of inputs.entries()) {
    const found = await readInput(reading, file, input)
    records.push(found)
    if (format.isAlone) await assertMostlyRight(plan, name, file, found ?? 0)
  }
  return { isInOrder, records, reading }
}

/** Throws Failure `input_refused` if more than half of a file's rows are rejected. */
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
