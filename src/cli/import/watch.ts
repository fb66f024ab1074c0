import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../../engine/failure.ts'
import { importFormat } from '../../lake/import/format/formats.ts'
import { type ImportOptions, importFiles } from '../../lake/import/import.ts'
import { oneLine } from '../../lake/import/input/inputs.ts'
import type { ImportReport } from '../../lake/import/report.ts'
import { type FileOutcome, watchImports } from '../../lake/import/watch/watch.ts'
import { usage } from '../command/arguments.ts'
import { printable } from '../terminal/printable.ts'
import { counted } from '../terminal/terminal.ts'
import { type Request, requestsOf } from './requests.ts'

/** What each import of the watch has, besides its files. */
export type Watching = Omit<ImportOptions, 'format' | 'layout' | 'inputs' | 'observe' | 'signal'> & {
  readonly signal: AbortSignal
}

/**
 * Imports the files of a folder, each once it is complete, and prints a line for each. `format` are the arguments that name
 * it: none for files that are recognised. Ends with the signal.
 */
export async function watchFolder(
  folder: string,
  format: readonly string[],
  map: string | undefined,
  watching: Watching,
): Promise<void> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw usage({ name: 'import' }, `--watch requires a folder, and ${JSON.stringify(folder)} is none`)
  const { requests } =
    format.length > 0 || map !== undefined ? await requestsOf(format, map, true) : { requests: [] }
  const [named] = requests
  if (named !== undefined && named.inputs.length > 0)
    throw usage(
      { name: 'import' },
      `--watch takes no files besides its folder, and there is ${named.inputs[0]}`,
    )
  await watchImports({
    folder,
    lake: resolve(watching.lake),
    signal: watching.signal,
    isTogether: named !== undefined && importFormat(named.format).sources.length > 1,
    async importFiles(paths) {
      const { requests: all, unknown } = named
        ? { requests: [{ ...named, inputs: paths }], unknown: [] }
        : await recognise(paths)
      const outcomes = new Map<string, FileOutcome>(
        unknown.map(({ file, reason }) => [file, { kind: 'refused', reason }]),
      )
      for (const request of all)
        for (const [path, outcome] of await importOne(request, watching)) outcomes.set(path, outcome)
      return outcomes
    },
    report: (path, outcome) =>
      process.stdout.write(`${new Date().toISOString()} ${printable(lineOf(path, outcome))}\n`),
  })
}

/** The imports of files by their content. A single file that is not recognised is not a failure either. */
async function recognise(
  paths: readonly string[],
): Promise<Pick<Awaited<ReturnType<typeof requestsOf>>, 'requests' | 'unknown'>> {
  try {
    return await requestsOf(paths, undefined, true)
  } catch (thrown) {
    return { requests: [], unknown: refusedAll(paths, thrown) }
  }
}

async function importOne(request: Request, watching: Watching): Promise<Map<string, FileOutcome>> {
  try {
    const report = await importFiles({ ...watching, ...request, observe: () => {} })
    return new Map(request.inputs.map(path => [path, outcomeOf(path, report)]))
  } catch (thrown) {
    return new Map(
      refusedAll(request.inputs, thrown).map(({ file, reason }) => [file, { kind: 'refused', reason }]),
    )
  }
}

/** The same refusal of each file. Throws `thrown` if it is another failure. */
function refusedAll(paths: readonly string[], thrown: unknown) {
  if (!(thrown instanceof Failure && thrown.code === 'input_refused')) throw thrown
  return paths.map(file => ({ file, reason: thrown.message }))
}

function outcomeOf(path: string, { accounts, refused, snapshot }: ImportReport): FileOutcome {
  const shown = oneLine(path)
  const isOf = ({ file }: { readonly file: string }) => file === shown || file.startsWith(`${shown}/`)
  const bad = refused.filter(isOf)
  if (bad.length > 0) return { kind: 'refused', reason: bad.map(({ reason }) => reason).join('; ') }
  const own = accounts.filter(isOf)
  if (own.length === 0) return { kind: 'known' }
  const sum = (of: (account: (typeof own)[number]) => number) =>
    own.reduce((total, each) => total + of(each), 0)
  return {
    kind: 'imported',
    rows: sum(({ rows }) => rows),
    rejected: sum(({ rejected }) => rejected),
    snapshot,
  }
}

function lineOf(path: string, outcome: FileOutcome): string {
  if (outcome.kind === 'refused') return `refused: ${outcome.reason}`
  if (outcome.kind === 'known') return `nothing new in ${path}`
  const { rows, rejected, snapshot } = outcome
  return `imported ${path}: ${counted(rows, 'row')}${rejected > 0 ? `, ${counted(rejected, 'row')} rejected` : ''}, snapshot ${snapshot}`
}
