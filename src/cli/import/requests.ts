import { existsSync, readFileSync } from 'node:fs'
import { Failure, firstLine } from '../../engine/failure.ts'
import { guess, suggestion } from '../../engine/nearest-name.ts'
import type { Candidate } from '../../lake/import/detect/candidates.ts'
import { type Detected, detect } from '../../lake/import/detect/detect.ts'
import { importable } from '../../lake/import/format/canonical.ts'
import { CANONICAL_KINDS, isCanonicalKind } from '../../lake/import/format/format.ts'
import { importFormat } from '../../lake/import/format/formats.ts'
import { oneLine } from '../../lake/import/input/inputs.ts'
import { shellWord } from '../../lake/import/input/next-step.ts'
import { checkLayout } from '../../lake/import/layout/bind.ts'
import { type Layout, parseLayout } from '../../lake/import/layout/layout.ts'
import { layoutNamed } from '../../lake/import/layout/layouts.ts'
import { refusals } from '../../lake/import/refusals.ts'
import type { RefusedFile } from '../../lake/import/report.ts'
import { usage } from '../command/arguments.ts'
import { names } from './arguments.ts'

const IMPORT = { name: 'import' } as const

/** Files to import as one format, in one snapshot. */
export interface Request {
  readonly format: string
  readonly layout?: Layout
  readonly inputs: readonly string[]
}

/** The imports that the arguments ask for, and what was found out about the files. */
export interface Requests {
  readonly requests: readonly Request[]
  /** For each recognised file, its layout and why, for the terminal. */
  readonly recognised: readonly string[]
  /** Files of several that were not recognised. */
  readonly unknown: readonly RefusedFile[]
}

/**
 * The imports of the arguments: of the format that they name, of the layout in the file of `--map`, or of the formats by
 * which the files are recognised. Throws Failure: `usage` for a wrong name; `input_refused` for a file that no format
 * reads, or that several read, unless `isTolerant` and there are others.
 */
export async function requestsOf(
  positionals: readonly string[],
  map: string | undefined,
  isTolerant: boolean,
): Promise<Requests> {
  const [name, ...rest] = positionals
  if (map !== undefined) return { requests: [mapped(map, positionals)], recognised: [], unknown: [] }
  if (name === undefined)
    throw usage(
      IMPORT,
      'no files to import: specify files or folders, after the name of their format if you know it',
    )
  if (isCanonicalKind(name)) {
    const [dataset, ...inputs] = rest
    if (dataset === undefined) throw usage(IMPORT, `no dataset: specify one of ${importable().join(', ')}`)
    return { requests: [{ format: `${name}-${dataset}`, inputs }], recognised: [], unknown: [] }
  }
  const [format = '', layout] = name.split('/')
  if (names.includes(format) && (layout === undefined || !existsSync(name))) {
    const request = {
      format,
      inputs: rest,
      ...(layout === undefined ? {} : { layout: layoutNamed(format, layout) }),
    }
    return { requests: [request], recognised: [], unknown: [] }
  }
  if (!isPath(name))
    throw usage(
      IMPORT,
      `unknown format ${JSON.stringify(name)}${guess(name, [...names, ...CANONICAL_KINDS]) || '.'} There is no such file either`,
    )
  if (positionals.includes('-'))
    throw usage(IMPORT, 'standard input needs a format: e.g. tapehouse import daily-bars -')
  return recognised(await detect(positionals), isTolerant)
}

const isPath = (name: string) => name === '-' || /[./\\*?]/.test(name) || existsSync(name)

/** The import of the files of a user's layout. */
function mapped(path: string, inputs: readonly string[]): Request {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (thrown) {
    throw usage(IMPORT, `cannot read the layout ${path}: ${firstLine(thrown)}`)
  }
  const layout = parseLayout(path, path, text)
  const { format, questions = [] } = layout
  if (questions.length > 0)
    throw new Failure(
      'usage',
      `${path} still has questions: answer them in the file, and delete them: ${questions.join(' ')}`,
    )
  if (format === undefined)
    throw new Failure('usage', `${path} lacks "format": the name of a format or of a dataset`)
  const full = importable().includes(format) ? `csv-${format}` : format
  if (full !== format || names.includes(format)) {
    checkLayout(layout, importFormat(full))
    return { format: full, layout, inputs }
  }
  throw new Failure(
    'usage',
    `${path}: unknown format ${JSON.stringify(format)}: ${suggestion(format, [...names, ...importable()])}`,
  )
}

/** One import for each format of the recognised files. */
function recognised(files: readonly Detected[], isTolerant: boolean): Requests {
  const bad = refusals(isTolerant && files.length > 1)
  const mixed = mixedInputs(files)
  for (const [origin, names] of mixed) bad.add(oneLine(origin), ofSeveralFormats(origin, names))
  const requests = new Map<string, Request>()
  const lines: string[] = []
  for (const file of files) {
    if (mixed.has(file.origin)) continue
    const [candidate, ...others] = file.candidates
    if (candidate === undefined || others.length > 0) {
      bad.add(file.path, candidate === undefined ? unknown(file) : ambiguous(file))
      continue
    }
    const name = nameOf(candidate)
    lines.push(`${file.path} is ${name}: ${candidate.why}.`)
    const { inputs = [] } = requests.get(name) ?? {}
    requests.set(name, {
      format: candidate.format,
      inputs: [...new Set([...inputs, file.origin])],
      ...(candidate.layout === null ? {} : { layout: candidate.layout }),
    })
  }
  return { requests: [...requests.values()], recognised: lines, unknown: bad.all }
}

const nameOf = ({ format, layout }: Candidate) =>
  layout === null ? format.replace(/^(csv|ndjson|parquet)-/, '$1 ') : `${format}/${layout.name}`

const unknown = ({ path, start, refusal }: Detected) =>
  refusal ??
  new Failure(
    'input_refused',
    `${path} has no known layout: it starts with ${JSON.stringify(start)}. Describe it: tapehouse import --map-from ${shellWord(path)} > layout.json, then tapehouse import --map layout.json ${shellWord(path)}`,
  )

/** The archives with files of several formats, and the names of these. */
function mixedInputs(files: readonly Detected[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, Set<string>>()
  for (const { origin, candidates } of files)
    if (candidates.length === 1 && candidates[0] !== undefined)
      names.set(origin, (names.get(origin) ?? new Set()).add(nameOf(candidates[0])))
  return new Map([...names].flatMap(([origin, found]) => (found.size > 1 ? [[origin, [...found]]] : [])))
}

const ofSeveralFormats = (origin: string, names: readonly string[]) =>
  new Failure(
    'input_refused',
    `${oneLine(origin)} has files of several formats, ${names.join(' and ')}: unpack it first, or specify a format that reads them`,
  )

const ambiguous = ({ path, candidates }: Detected) =>
  new Failure(
    'input_refused',
    `${path} may be ${candidates.map(each => `${nameOf(each)} (${each.why})`).join(', or ')}: specify one, e.g. tapehouse import ${candidates[0] ? nameOf(candidates[0]) : ''} ${shellWord(path)}`,
  )
