import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { Failure, firstLine } from '../../../engine/failure.ts'
import type { Writer } from '../../../engine/writer.ts'
import type { Input } from './inputs.ts'
import { unpackZstd } from './zstd.ts'

const CHUNK_BYTES = 1 << 20

/**
 * The unpacked bytes of an input, in order. `advance` is told the bytes of the file as they are read. Throws
 * Failure `input_refused`, naming the file, if it cannot be read or unpacked to its end.
 */
export async function* unpackedBytes(
  input: Input,
  writer: Writer,
  folder: string,
  advance: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  if (input.compression === 'gzip') yield* gunzipped(input, advance)
  else if (input.compression === 'none') yield* bytesOf(input.path, input, advance)
  else {
    const path = await unpackZstd(input, writer, folder)
    yield* bytesOf(path, input, () => {})
    advance(input.bytes)
    await rm(path)
  }
}

/** The bytes of a file, in order. */
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

/** DuckDB takes a gzip file that breaks off for a whole one, so zlib reads it: it says so. */
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
      `${input.shown} cannot be unpacked: it is not a whole gzip file (${firstLine(thrown)}): fetch it again`,
      { cause: thrown },
    )
  } finally {
    file.destroy()
  }
}
