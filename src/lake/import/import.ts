import { realpath, rm } from 'node:fs/promises'
import type { Observe } from '../../engine/observation.ts'
import { temporaryFolder } from '../../engine/temporary-folder.ts'
import { openWriter } from '../../engine/writer.ts'
import { knownInputs } from '../land/land.ts'
import { assertWritable } from '../publish/base.ts'
import { lakeFolder, locator } from '../store/layout.ts'
import { closeDays } from './close.ts'
import { importFormat } from './format/formats.ts'
import { cancelingBy } from './input/cancel.ts'
import { endingsOf } from './input/endings.ts'
import { gatherFiles } from './input/gather.ts'
import { bytesIn, hashFiles } from './input/inputs.ts'
import type { Layout } from './layout/layout.ts'
import { checkOptions, layoutsOf } from './layout/layouts.ts'
import { newInputs } from './new-inputs.ts'
import { byteProgress } from './progress.ts'
import { kindsRead } from './read.ts'
import { type ImportReport, NOTHING } from './report.ts'
import { isLake } from './rows/place.ts'
import { runImport } from './run.ts'

export interface ImportOptions {
  readonly format: string
  /** The only layout that the files may have. Default: the columns of the format's sources, and all its layouts. */
  readonly layout?: Layout
  /** Files, folders and patterns, as the user specified them; `-` is standard input. */
  readonly inputs: readonly string[]
  /** The user's values of the format's options, by name. */
  readonly options?: Readonly<Record<string, string>>
  readonly lake: string
  /** Default: that of the process. */
  readonly standardInput?: AsyncIterable<Uint8Array>
  readonly observe: Observe
  readonly signal?: AbortSignal
  readonly memoryBytesMax?: number
  readonly threads?: number
  /** Closes the trading days up to this one, `YYYY-MM-DD`, in the same snapshot. */
  readonly close?: string
  /** The sheet of workbooks. Default: the first in which a header is found. */
  readonly sheet?: string | undefined
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
  const folder = await realpath(temporaryFolder('import'))
  try {
    return await importInto(folder, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function importInto(folder: string, options: ImportOptions): Promise<ImportReport> {
  const { observe } = options
  const format = importFormat(options.format)
  const layouts = options.layout === undefined ? layoutsOf(format.name) : [options.layout]
  const formatOptions = checkOptions(format, layouts, options.options ?? {})
  const lake = lakeFolder(options.lake)
  const canceling = cancelingBy(options.signal)
  const exists = await isLake(lake)
  const files = await gatherFiles(options.inputs, {
    folder,
    endings: endingsOf(kindsRead(format, layouts)),
    canceling,
    standardInput: options.standardInput ?? process.stdin,
  })
  const hashed = await hashFiles(files, canceling, byteProgress('check files', bytesIn(files), observe))
  if (exists) await assertWritable(lake)
  const known = exists
    ? await Promise.all(format.mappings.map(({ dataset }) => knownInputs(lake, dataset)))
    : []
  const isStrict = options.isStrict ?? false
  const withSheet = { ...formatOptions, ...(options.sheet === undefined ? {} : { sheet: options.sheet }) }
  const knownHashes = new Set(known.flatMap(each => [...each]))
  const inputs = newInputs(format, layouts, withSheet, isStrict, hashed, knownHashes)
  const report = { format: format.name, files: files.length, skipped: files.length - inputs.length }
  const close = options.close ?? null
  if (inputs.length === 0)
    return { ...report, ...NOTHING, ...(exists ? await closeDays(lake, close) : { snapshot: null }) }

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
      layouts,
      isLayoutGiven: options.layout !== undefined,
      options: formatOptions,
      sheet: options.sheet,
      isStrict,
      lake,
      exists,
      inputs,
      folder,
      canceling,
      observe,
      close,
    }
    return await canceling.around(writer, async () => ({ ...report, ...(await runImport(plan)) }))
  } finally {
    writer.close()
  }
}
