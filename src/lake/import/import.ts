import { realpath, rm } from 'node:fs/promises'
import type { Observe } from '../../engine/observation.ts'
import { temporaryFolder } from '../../engine/temporary-folder.ts'
import { openWriter } from '../../engine/writer.ts'
import { knownFiles } from '../imports/known.ts'
import { assertWritable } from '../publish/base.ts'
import { lakeFolder, locator } from '../store/layout.ts'
import { closeDays } from './close.ts'
import { importFormat } from './format/formats.ts'
import { cancelingBy } from './input/cancel.ts'
import { bytesIn, endingsOf, findFiles, hashFiles } from './input/inputs.ts'
import type { Layout } from './layout/layout.ts'
import { checkOptions, layoutsOf } from './layout/layouts.ts'
import { distinct, identified, newInputs } from './new-inputs.ts'
import { byteProgress } from './progress.ts'
import { type ImportReport, NOTHING } from './report.ts'
import { isLake } from './rows/place.ts'
import { runImport } from './run.ts'

export interface ImportOptions {
  readonly format: string
  /** The only layout that the files may have. Default: the columns of the format's sources, and all its layouts. */
  readonly layout?: Layout
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
  /** Whether files are imported that the lake has already. Default: false. */
  readonly isForced?: boolean
}

/**
 * Imports files into a lake, which is created if it does not exist: all files in one snapshot, or nothing. Files that
 * were imported before are skipped, unless other files have replaced their rows since. Invalid rows are counted and
 * listed in a rejects file.
 *
 * Throws Failure: `usage` for an unknown format or option; `input_refused` for a file that is missing, damaged, lacks
 * required columns or is mostly invalid; `lake_missing` for a folder that is not a lake and not empty; `canceled`; and
 * the failures of `land`.
 */
export async function importFiles(options: ImportOptions): Promise<ImportReport> {
  const { observe } = options
  const format = importFormat(options.format)
  const layouts = options.layout === undefined ? layoutsOf(format.name) : [options.layout]
  const formatOptions = checkOptions(format, layouts, options.options ?? {})
  const lake = lakeFolder(options.lake)
  const canceling = cancelingBy(options.signal)
  const exists = await isLake(lake)
  const files = await findFiles(options.inputs, endingsOf(format.sources))
  const hashed = await hashFiles(files, canceling, byteProgress('check files', bytesIn(files), observe))
  if (exists) await assertWritable(lake)
  const isStrict = options.isStrict ?? false
  const all = identified(format, layouts, formatOptions, isStrict, hashed)
  const known = await knownFiles(
    exists ? lake : null,
    format.mappings.map(({ dataset }) => dataset),
    all.map(({ hash }) => hash),
  )
  const inputs = options.isForced ? distinct(all) : newInputs(format, all, known)
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
        layouts,
        isLayoutGiven: options.layout !== undefined,
        options: formatOptions,
        isStrict,
        lake,
        exists,
        inputs,
        folder,
        canceling,
        observe,
        close,
        isAgain: inputs.some(({ hash }) => known.held.has(hash)),
      }
      return await canceling.around(writer, async () => ({ ...report, ...(await runImport(plan)) }))
    } finally {
      writer.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
