import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { Failure, firstLine } from '../../../engine/failure.ts'
import type { Writer } from '../../../engine/writer.ts'
import { assertWithin } from './archives.ts'
import type { Canceling } from './cancel.ts'
import type { Input } from './inputs.ts'
import { unpackZstd } from './zstd.ts'

const CHUNK_BYTES = 1 << 20
const MEBIBYTE = 1 << 20

/** Documents are read into memory. A larger one is damaged, or should be JSON lines. */
export const DOCUMENT_BYTES_MAX = 256 * MEBIBYTE

/** What unpacking needs of an import. */
interface Unpacking {
  readonly writer: Writer
  readonly folder: string
  readonly canceling: Canceling
  advance(bytes: number): void
}

/**
 * The decompressed bytes of an input. `advance` receives the number of bytes of each read from the file. Throws Failure
 * `input_refused` with the file's name if it cannot be read or decompressed to its end.
 */
export async function* unpackedBytes(
  input: Input,
  writer: Writer,
  folder: string,
  advance: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  if (input.compression === 'gzip') yield* withinLimits(input, gunzipped(input, advance))
  else if (input.compression === 'none') yield* bytesOf(input.path, input, advance)
  else {
    const path = await unpackZstd(input, writer, folder)
    try {
      yield* bytesOf(path, input, () => {})
      advance(input.bytes)
    } finally {
      await rm(path)
    }
  }
}

/** The content of a compressed file. Throws Failure `input_refused` as soon as it exceeds the limits of archives. */
async function* withinLimits(input: Input, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let unpackedBytes = 0
  for await (const part of content) {
    unpackedBytes += part.length
    assertWithin(input, unpackedBytes)
    yield part
  }
}

/** The bytes of a file. Throws Failure `input_refused` if it cannot be read. */
export async function* bytesOf(
  path: string,
  input: Input,
  advance: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      advance(chunk.length)
      yield chunk
    }
  } catch (thrown) {
    throw new Failure('input_refused', `cannot read ${input.shown}: ${firstLine(thrown)}`, { cause: thrown })
  }
}

/** Uses zlib, because DuckDB does not detect a truncated gzip file. */
async function* gunzipped(input: Input, advance: (bytes: number) => void): AsyncGenerator<Buffer> {
  const file = createReadStream(input.path, { highWaterMark: CHUNK_BYTES })
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  file.on('data', chunk => advance(chunk.length))
  file.on('error', thrown => gunzip.destroy(thrown))
  file.pipe(gunzip)
  try {
    yield* gunzip as AsyncIterable<Buffer>
  } catch (thrown) {
    throw new Failure(
      'input_refused',
      `${input.shown} cannot be decompressed: it is not a complete gzip file (${firstLine(thrown)}): download it again`,
      { cause: thrown },
    )
  } finally {
    file.destroy()
  }
}

/** The whole text of a file, without a byte order mark. */
export async function textIn(
  { writer, folder, canceling, advance }: Unpacking,
  input: Input,
): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of unpackedBytes(input, writer, folder, advance)) {
    canceling.check()
    bytes += part.length
    if (bytes > DOCUMENT_BYTES_MAX)
      throw new Failure(
        'input_refused',
        `${input.shown} is larger than ${DOCUMENT_BYTES_MAX / MEBIBYTE} MiB: split it, or convert it to JSON lines`,
      )
    parts.push(part)
  }
  const content = Buffer.concat(parts)
  return (
    isUtf8(content) ? content.toString('utf8') : new TextDecoder('windows-1252').decode(content)
  ).replace(/^\ufeff/, '')
}
