import { realpath, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { literal, text } from '../../../engine/bind.ts'
import { Failure, firstLine } from '../../../engine/failure.ts'
import { temporaryFolder } from '../../../engine/temporary-folder.ts'
import { openWriter, type Writer } from '../../../engine/writer.ts'
import { diagnoseFile, diagnosisOf } from '../diagnosis/diagnose.ts'
import { knownFileIn } from '../diagnosis/known-files.ts'
import { KINDS } from '../format/format.ts'
import { cancelingBy } from '../input/cancel.ts'
import { compressionOf } from '../input/containers.ts'
import { endingsOf } from '../input/endings.ts'
import { gatherFiles } from '../input/gather.ts'
import {
  type BadInput,
  badInput,
  type FoundFile,
  fileNameOf,
  type Input,
  oneLine,
  unreadable,
} from '../input/inputs.ts'
import { unpackedBytes } from '../input/source.ts'
import { documentIn, faultOfJson } from '../json/documents.ts'
import { sniff } from '../read.ts'
import { isWorkbookFile, sheetsAsCsv } from '../workbooks.ts'
import { readFilings } from '../xml/edgar.ts'
import { bestOf, type Candidate, type Comparison, candidatesOf } from './candidates.ts'
import { ofColumns, ofDocument, ofLines, ofRecord } from './comparisons.ts'
import { type Drafted, draftLayout, type Sampled } from './draft.ts'
import { sampleDocument, sampleLines, sampleParquet } from './sample.ts'

/** A file, and what it may be imported as: nothing, one candidate, or several between which the user must choose. */
export interface Detected {
  /** The file's path, for messages. */
  readonly path: string
  /** What the user specifies to import it: the path of its archive, if it is a member. */
  readonly origin: string
  readonly candidates: readonly Candidate[]
  /** Why the file has no candidates, if it cannot be read or has no data; otherwise null. */
  readonly refusal: Failure | null
  /** How the file begins, for the message if there is no candidate. */
  readonly start: string
}

/** A file of JSON or XML that is larger is recognised by its first records only if these are lines. */
const DOCUMENT_BYTES_MAX = 64 << 20
const START_BYTES = 256 << 10
/** More than the lines above a header, and its rows. */
const LINES = 54

/** Recognises files by their content: each file, and each file of a folder. */
export async function detect(inputs: readonly string[]): Promise<Detected[]> {
  return withFiles(inputs, async (files, bad) => {
    const found: Detected[] = []
    for (const file of files) {
      const detected = await detectFile(file)
      if (detected !== null) found.push(detected)
    }
    return [...found, ...bad.map(unread)]
  })
}

const unread = ({ file, origin, failure }: BadInput): Detected => ({
  path: file,
  origin,
  candidates: [],
  refusal: failure,
  start: '',
})

/** The first sheet with candidates, of a workbook; null for one without sheets. */
async function detectFile({ input, looks }: Looked): Promise<Detected | null> {
  const { shown: path, origin } = input
  let detected: Detected | null = null
  try {
    for await (const look of looks()) {
      const comparison = await comparisonOf(look)
      const text = await look.start()
      const found = comparison === null ? [] : bestOf(candidatesOf(comparison))
      // Names such as Date say less than a known file, which they are in as well.
      const isKnown = found.every(({ layout }) => layout === null) && knownFileIn(text.trimStart()) !== null
      const candidates = isKnown ? [] : found
      if (detected !== null && candidates.length === 0) continue
      const start = oneLine(text.trim().slice(0, 200).replace(/\s+/g, ' ').slice(0, 60))
      if (candidates.length > 0) return { path, origin, start, candidates, refusal: null }
      const diagnosis =
        (await diagnoseFile(input)) ?? diagnosisOf(Buffer.from(text)) ?? (await faultOfDocument(look, text))
      const refusal = diagnosis === null ? null : new Failure('input_refused', `${path} ${diagnosis}`)
      detected = { path, origin, start, candidates, refusal }
    }
    return detected
  } catch (thrown) {
    if (!(thrown instanceof Failure && thrown.code === 'input_refused')) throw thrown
    const found = await diagnoseFile(input)
    const refusal = found === null ? thrown : new Failure('input_refused', `${path} ${found}`)
    return { path, origin, start: '', candidates: [], refusal }
  }
}

/**
 * Drafts a layout for a file by looking at it, of the format with a name or of the one that it resembles most. Throws Failure
 * `input_refused` if the file has no columns that resemble a format's.
 */
export async function draftFrom(path: string, format: string | undefined): Promise<Drafted> {
  return withFiles([path], async ([file], [bad]) => {
    if (file === undefined && bad !== undefined) throw bad.failure
    for await (const look of file?.looks() ?? []) {
      const sampled = await sampleOf(look)
      const drafted = sampled && draftLayout(oneLine(basename(path)), sampled, format)
      if (drafted) return drafted
    }
    throw new Failure(
      'input_refused',
      `${oneLine(path)} resembles no format: specify one, e.g. tapehouse import daily-bars --map-from ${oneLine(path)}`,
    )
  })
}

/** One file, its kind and its content. */
interface Look {
  readonly input: Input
  readonly writer: Writer
  readonly folder: string
  start(): Promise<string>
  whole(): Promise<string>
}

/** One file with looks at it, one for each sheet of a workbook. */
interface Looked {
  readonly input: Input
  looks(): AsyncIterable<Look>
}

/** Runs `work` with the files that a user specified. */
async function withFiles<T>(
  inputs: readonly string[],
  work: (files: readonly Looked[], bad: readonly BadInput[]) => Promise<T>,
): Promise<T> {
  const folder = await realpath(temporaryFolder('import'))
  try {
    const gathered = await gatherFiles(inputs, {
      folder,
      endings: endingsOf(KINDS),
      canceling: cancelingBy(undefined),
      standardInput: process.stdin,
    })
    const bad = [...gathered.bad]
    const found: Input[] = []
    for (const file of gathered.files)
      try {
        found.push(await inputOf(file))
      } catch (thrown) {
        bad.push(badInput(file.shown, unreadable(file.shown, thrown), file.origin))
      }
    const writer = await openWriter({ directories: [folder], inputs: found.map(({ real }) => real) })
    async function* looks(input: Input) {
      const parts = (await isWorkbookFile(input)) ? sheetsAsCsv(input, folder) : [input]
      for await (const part of parts) yield lookAt(writer, folder, part)
    }
    try {
      return await work(
        found.map(input => ({ input, looks: () => looks(input) })),
        bad,
      )
    } finally {
      writer.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const inputOf = async (file: FoundFile): Promise<Input> => ({
  ...file,
  real: await realpath(file.path),
  compression: await compressionOf(file.path, file.shown),
  sha256: '',
  version: '',
  hash: '',
  hashes: new Map(),
})

function lookAt(writer: Writer, folder: string, input: Input): Look {
  const content = async (most: number) => {
    const parts: Buffer[] = []
    let length = 0
    for await (const part of unpackedBytes(input, writer, folder, () => {})) {
      parts.push(part)
      length += part.length
      if (length >= most) break
    }
    return Buffer.concat(parts)
      .toString('utf8')
      .replace(/^\ufeff/, '')
  }
  return {
    input,
    writer,
    folder,
    start: () => content(START_BYTES),
    whole: () => content(Number.POSITIVE_INFINITY),
  }
}

async function comparisonOf(look: Look): Promise<Comparison | null> {
  const { input, writer } = look
  const start = await look.start()
  const kinds = sniff(start)?.kinds ?? ['csv']
  const name = fileNameOf(input)
  if (kinds.includes('csv')) return ofLines(linesOf(start), name)
  if (kinds.includes('parquet')) return ofColumns(await columnsIn(writer, input), name)
  if (kinds.includes('json')) {
    const document = await documentOf(look, start)
    return document === undefined ? null : ofDocument(document, name)
  }
  if (!kinds.includes('xml') || input.bytes > DOCUMENT_BYTES_MAX) return null
  try {
    const [record] = readFilings(await look.whole(), new Set())
    return ofRecord(record)
  } catch {
    return null
  }
}

async function sampleOf(look: Look): Promise<Sampled | null> {
  const { input, writer, folder } = look
  const start = await look.start()
  const kinds = sniff(start)?.kinds ?? ['csv']
  if (kinds.includes('parquet')) return sampleParquet(writer, input.real)
  if (kinds.includes('json')) return sampleDocument(await documentOf(look, start))
  return kinds.includes('csv')
    ? sampleLines(writer, folder, start.slice(0, start.lastIndexOf('\n') + 1 || undefined))
    : null
}

/** What is wrong with a file of JSON, with the next step; null for another file. */
async function faultOfDocument(look: Look, start: string): Promise<string | null> {
  const isJson = sniff(start)?.kinds.includes('json') === true
  if (!isJson || look.input.bytes > DOCUMENT_BYTES_MAX || (await documentOf(look, start)) !== undefined)
    return null
  const fault = faultOfJson(await look.whole())
  return fault && `cannot be read: ${oneLine(fault)}: download it again`
}

/** The document of a JSON file; of a large file of lines, the list of the first ones. */
async function documentOf({ input, whole }: Look, start: string): Promise<unknown> {
  const document = input.bytes <= DOCUMENT_BYTES_MAX ? documentIn(await whole()) : undefined
  return document ?? documentIn(linesOf(start).join('\n'))
}

/** The first lines of a text that are not blank. */
const linesOf = (start: string) =>
  start
    .split(/\r*\n/)
    .filter(line => line.trim() !== '')
    .slice(0, LINES)

async function columnsIn(writer: Writer, { real: path, shown }: Input): Promise<string[]> {
  try {
    const rows = await writer.rows(`DESCRIBE FROM read_parquet(${literal(text(path))})`)
    return rows.map(row => String(row.column_name))
  } catch (thrown) {
    throw new Failure(
      'input_refused',
      `${shown} cannot be read as Parquet (${firstLine(thrown)}): download it again`,
    )
  }
}
