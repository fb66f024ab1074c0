import { realpath, rm } from 'node:fs/promises'
import { literal, text } from '../../../engine/bind.ts'
import { Failure, firstLine } from '../../../engine/failure.ts'
import { temporaryFolder } from '../../../engine/temporary-folder.ts'
import { openWriter, type Writer } from '../../../engine/writer.ts'
import { listFormats } from '../format/formats.ts'
import { compressionOf, endingsOf, fileNameOf, findFiles, oneLine } from '../input/inputs.ts'
import { unpackedBytes } from '../input/source.ts'
import { documentIn } from '../json/layout-json.ts'
import { sniff } from '../read.ts'
import { readFilings } from '../xml/edgar.ts'
import { bestOf, type Candidate, type Comparison, candidatesOf } from './candidates.ts'
import { ofColumns, ofDocument, ofLines, ofRecord } from './comparisons.ts'

/** A file, and what it may be imported as: nothing, one candidate, or several between which the user must choose. */
export interface Detected {
  readonly path: string
  readonly candidates: readonly Candidate[]
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
  const folder = await realpath(temporaryFolder('import'))
  try {
    const real = await Promise.all(files.map(({ path }) => realpath(path)))
    const writer = await openWriter({ directories: [folder], inputs: real })
    try {
      const found: Detected[] = []
      for (const [index, { path, bytes }] of files.entries())
        found.push(await detectFile(writer, folder, path, real[index] ?? path, bytes))
      return found
    } finally {
      writer.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function detectFile(
  writer: Writer,
  folder: string,
  path: string,
  real: string,
  bytes: number,
): Promise<Detected> {
  const shown = oneLine(path)
  const input = {
    path,
    real,
    shown,
    bytes,
    compression: compressionOf(path),
    isNamed: true,
    sha256: '',
    version: '',
    hash: '',
  }
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
  const start = await content(START_BYTES)
  const kinds = sniff(start)?.kinds ?? ['csv']
  const name = fileNameOf(input)
  const comparison = await comparisonOf()
  return {
    path,
    start: oneLine(start.trim().slice(0, 60)),
    candidates: comparison === null ? [] : bestOf(candidatesOf(comparison)),
  }

  async function comparisonOf(): Promise<Comparison | null> {
    if (kinds.includes('csv')) return ofLines(linesOf(start), name)
    if (kinds.includes('parquet')) return ofColumns(await columnsIn(writer, real, shown), name)
    const isWhole = bytes <= DOCUMENT_BYTES_MAX
    if (kinds.includes('json')) {
      const whole = isWhole ? documentIn(await content(Number.POSITIVE_INFINITY)) : undefined
      const document = whole ?? documentIn(linesOf(start).join('\n'))
      return document === undefined ? null : ofDocument(document, name)
    }
    if (!kinds.includes('xml') || !isWhole) return null
    try {
      const [record] = readFilings(await content(Number.POSITIVE_INFINITY), new Set())
      return ofRecord(record)
    } catch {
      return null
    }
  }
}

/** The first lines of a text that are not blank. */
const linesOf = (start: string) =>
  start
    .split(/\r*\n/)
    .filter(line => line.trim() !== '')
    .slice(0, LINES)

async function columnsIn(writer: Writer, path: string, shown: string): Promise<string[]> {
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
