import { realpath, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Observe } from '../../engine/observation.ts'
import { temporaryFolder } from '../../engine/temporary-folder.ts'
import { openWriter } from '../../engine/writer.ts'
import { knownFiles } from '../imports/known.ts'
import { openProofs, type Proofs } from '../proof/proofs.ts'
import { provePublished } from '../proof/published.ts'
import { assertWritable } from '../publish/base.ts'
import { readCurrent } from '../store/current.ts'
import { lakeFolder, locator, nameOf } from '../store/layout.ts'
import { closeDays } from './close.ts'
import { runDry } from './dry-run.ts'
import { importName } from './format/format.ts'
import { importFormat } from './format/formats.ts'
import { type Canceling, cancelingBy } from './input/cancel.ts'
import { checkEncoding } from './input/encodings.ts'
import { endingsOf } from './input/endings.ts'
import { gatherFiles } from './input/gather.ts'
import { bytesIn, type FoundFile, type HashedFile, hashFiles } from './input/inputs.ts'
import type { Layout } from './layout/layout.ts'
import { checkOptions, layoutsOf } from './layout/layouts.ts'
import { distinct, hashesOf, identified, newInputs } from './new-inputs.ts'
import { byteProgress } from './progress.ts'
import { kindsRead } from './read.ts'
import { type Refusals, refusals } from './refusals.ts'
import { type ImportReport, NOTHING } from './report.ts'
import { isLake } from './rows/place.ts'
import { runImport } from './run.ts'
import { formatFor } from './together.ts'

export interface ImportOptions {
  readonly format: string
  /** The only layout that the files may have. Default: the columns of the format's sources, and all its layouts. */
  readonly layout?: Layout
  /** Files, folders and patterns, as the user specified them; `-` is standard input. */
  readonly inputs: readonly string[]
  /** The user's values of the format's options, by name. */
  readonly options?: Readonly<Record<string, string>>
  readonly lake: string
  /** The proofs of the lake's files, to which the published ones are added. Default: proofs that end with the import. */
  readonly proofs?: Proofs
  /** Default: that of the process. */
  readonly standardInput?: AsyncIterable<Uint8Array>
  readonly observe: Observe
  readonly signal?: AbortSignal
  readonly memoryBytesMax?: number
  readonly threads?: number
  /** Closes the trading days up to this one, `YYYY-MM-DD`, in the same snapshot, unless a file is bad. */
  readonly close?: string
  /** The sheet of workbooks. Default: the first in which a header is found. */
  readonly sheet?: string | undefined
  /** The encoding of texts that are not UTF-8 or UTF-16, as in the WHATWG standard. */
  readonly encoding?: string | undefined
  /** Whether a row with a note or a warning is rejected. Default: false. */
  readonly isStrict?: boolean
  /** Whether nothing is written, and the report is what an import would do. Default: false. */
  readonly isDryRun?: boolean
  /** Whether other files are imported apart from these, as those of other formats. Default: false. */
  readonly isOneOfMany?: boolean
  /** Whether one bad file of several fails the import. Default: false. */
  readonly isAllOrNothing?: boolean
  /** Whether files are imported that the lake has already. Default: false. */
  readonly isForced?: boolean
}

/**
 * Imports files into a lake, which is created if it does not exist: all good files in one snapshot. Files that were
 * imported before are skipped, unless other files have replaced their rows since. Invalid rows are counted and listed in a rejects file. A bad file is damaged, lacks required
 * columns or is mostly invalid: it is refused, and none of its rows is imported. So is a path that cannot be read, while
 * others can.
 *
 * Throws Failure: `usage` for an unknown format or option; `input_refused` for a file that does not exist, for a single
 * bad file, and for one of several with `isAllOrNothing`; `lake_missing` for a folder that is not a lake and not empty; `canceled`; and
 * the failures of `land`.
 */
export async function importFiles(options: ImportOptions): Promise<ImportReport> {
  const folder = await realpath(temporaryFolder('import'))
  try {
    return await importInto(folder, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function importInto(folder: string, options: ImportOptions): Promise<ImportReport> {
  const { observe, isDryRun = false } = options
  const started = performance.now()
  const format = importFormat(options.format)
  const layouts = options.layout === undefined ? layoutsOf(format.name) : [options.layout]
  const formatOptions = checkOptions(format, layouts, options.options ?? {})
  checkEncoding(options.encoding)
  const lake = lakeFolder(options.lake)
  const canceling = cancelingBy(options.signal)
  const exists = await isLake(lake)
  const gathered = await gatherFiles(options.inputs, {
    folder,
    endings: endingsOf(kindsRead(format, layouts)),
    canceling,
    encoding: options.encoding,
    standardInput: options.standardInput ?? process.stdin,
  })
  const { files: found, bad } = gathered
  const isOutside = (path: string) => nameOf(lake, resolve(path)) === null
  // A folder may contain the lake. Only its rejects are imported, if they are specified.
  const files = options.inputs.every(isOutside) ? found.filter(({ path }) => isOutside(path)) : found
  const isOneOfMany = files.length + bad.length > 1 || options.isOneOfMany === true
  const refused = refusals(isOneOfMany && options.isAllOrNothing !== true)
  for (const { file, failure } of bad) refused.add(file, failure)
  const hashed = await hashReadable(files, refused, canceling, observe)
  if (exists) await assertWritable(lake)
  const isStrict = options.isStrict ?? false
  const withSheet = { ...formatOptions, ...(options.sheet === undefined ? {} : { sheet: options.sheet }) }
  const isLayoutGiven = options.layout !== undefined
  const all = identified({ format, layouts, isLayoutGiven, options: withSheet, isStrict }, hashed)
  const known = await knownFiles(
    exists ? lake : null,
    format.mappings.map(({ dataset }) => dataset),
    all.map(hashesOf),
  )
  const inputs = options.isForced ? distinct(all) : newInputs(format, all, known)
  const skipped = hashed.length - inputs.length
  const finished = <T>(outcome: T) => ({
    format: format.name,
    files: files.length + bad.length,
    skipped,
    ...outcome,
    seconds: Math.round(performance.now() - started) / 1000,
  })
  const close = options.close ?? null
  if (inputs.length === 0) {
    const isComplete = refused.all.length === 0
    const closed = exists ? await closeDays(lake, isComplete && !isDryRun ? close : null) : { snapshot: null }
    return finished({ ...NOTHING, isDryRun, refused: refused.all, ...closed })
  }

  const proofs = options.proofs ?? openProofs({ lake, remembered: null, observe: () => {} })
  const before = exists ? await readCurrent(lake) : null
  const writer = await openWriter({
    directories: [lake, folder],
    guard: proofs,
    locate: locator(lake),
    inputs: inputs.map(({ real }) => real),
    memoryBytesMax: options.memoryBytesMax,
    threads: options.threads,
  })
  try {
    const plan = {
      writer,
      format: formatFor(format, inputs),
      layouts,
      isLayoutGiven,
      options: formatOptions,
      sheet: options.sheet,
      isStrict,
      refused,
      name: importName(
        format,
        inputs.map(({ hash }) => hash),
      ),
      lake,
      exists,
      inputs,
      folder,
      canceling,
      observe,
      close,
      isDryRun,
      isAgain: known.some((each, file) => each !== 'new' && inputs.some(input => input === all[file])),
    }
    const outcome = await canceling.around(writer, () => (isDryRun ? runDry(plan) : runImport(plan)))
    // What is published stays published.
    if (options.proofs) await provePublished(proofs, lake, before).catch(() => {})
    return finished(outcome)
  } finally {
    writer.close()
    if (options.proofs === undefined) proofs.close()
  }
}

/** Hashes the files that can be read. */
async function hashReadable(
  files: readonly FoundFile[],
  refused: Refusals,
  canceling: Canceling,
  observe: Observe,
): Promise<HashedFile[]> {
  const advance = byteProgress('check files', bytesIn(files), observe)
  const hashed: HashedFile[] = []
  for (const file of files)
    try {
      hashed.push(...(await hashFiles([file], canceling, advance)))
    } catch (thrown) {
      refused.add(file.shown, thrown)
    }
  return hashed
}
