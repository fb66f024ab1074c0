import { realpath, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { literal, text } from '../../../engine/bind.ts'
import { Failure, firstLine } from '../../../engine/failure.ts'
import { temporaryFolder } from '../../../engine/temporary-folder.ts'
import { openWriter, type Writer } from '../../../engine/writer.ts'
import { diagnoseFile, diagnosisOf } from '../diagnosis/diagnose.ts'
import { listFormats } from '../format/formats.ts'
import {
  compressionOf,
  endingsOf,
  type FoundFile,
  fileNameOf,
  findFiles,
  type Input,
  oneLine,
} from '../input/inputs.ts'
import { unpackedBytes } from '../input/source.ts'
import { documentIn } from '../json/layout-json.ts'
import { sniff } from '../read.ts'
import { readFilings } from '../xml/edgar.ts'
import { bestOf, type Candidate, type Comparison, candidatesOf } from './candidates.ts'
import { ofColumns, ofDocument, ofLines, ofRecord } from './comparisons.ts'
import { type Drafted, draftLayout, type Sampled } from './draft.ts'
import { sampleDocument, sampleLines, sampleParquet } from './sample.ts'

/** A file, and what it may be imported as: nothing, one candidate, or several between which the user must choose. */
export interface Detected {
  readonly path: string
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

/**
 * Recognises files by their content: each file, and each file of a folder. Throws Failure `input_refused` for a file that is
 * missing or cannot be read.
 */
export async function detect(inputs: readonly string[]): Promise<Detected[]> {
  const endings = endingsOf(listFormats().flatMap(({ sources }) => sources))
  const files = await findFiles(inputs, [...new Set([...endings, '.txt', '.tsv'])])
  return withLooks(files, async looks => {
    const found: Detected[] = []
    for (const look of looks) {
      found.push(await detectFile(look))
    }
    return found
  })
}

async function detectFile(look: Look): Promise<Detected> {
  const { path, shown, real } = look.input
  try {
    const comparison = await comparisonOf(look)
    const candidates = comparison === null ? [] : bestOf(candidatesOf(comparison))
    const text = await look.start()
    const start = oneLine(text.trim().slice(0, 60))
    if (candidates.length > 0) return { path, start, candidates, refusal: null }
    const found = (await diagnoseFile(real)) ?? diagnosisOf(Buffer.from(text))
    const refusal = found === null ? null : new Failure('input_refused', `${shown} ${found}`)
    return { path, start, candidates, refusal }
  } catch (thrown) {
    if (!(thrown instanceof Failure && thrown.code === 'input_refused')) throw thrown
    const found = await diagnoseFile(real)
    const refusal = found === null ? thrown : new Failure('input_refused', `${shown} ${found}`)
    return { path, start: '', candidates: [], refusal }
  }
}

/**
 * Drafts a layout for a file by looking at it, of the format with a name or of the one that it resembles most. Throws Failure
 * `input_refused` if the file has no columns that resemble a format's.
 */
export async function draftFrom(path: string, format: string | undefined): Promise<Drafted> {
  const files = await findFiles([path], [])
  return withLooks(files, async ([look]) => {
    const sampled = look === undefined ? null : await sampleOf(look)
    const drafted = sampled && draftLayout(`Files like ${oneLine(basename(path))}`, sampled, format)
    if (drafted) return drafted
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

/** Runs `work` with looks at files. */
async function withLooks<T>(
  files: readonly FoundFile[],
  work: (looks: readonly Look[]) => Promise<T>,
): Promise<T> {
  const folder = await realpath(temporaryFolder('import'))
  try {
    const inputs = await Promise.all(files.map(inputOf))
    const writer = await openWriter({ directories: [folder], inputs: inputs.map(({ real }) => real) })
    try {
      return await work(inputs.map(input => lookAt(writer, folder, input)))
    } finally {
      writer.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const inputOf = async ({ path, bytes }: FoundFile): Promise<Input> => ({
  path,
  real: await realpath(path),
  shown: oneLine(path),
  bytes,
  compression: compressionOf(path),
  isNamed: true,
  sha256: '',
  version: '',
  hash: '',
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
