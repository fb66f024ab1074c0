import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { Decompress } from 'fzstd'
import { zstdFrames } from './zstd-frames.ts'

const CHUNK_BYTES = 1 << 20
/** A piece of a zstd file may contain 10,000 times its size, which is in memory at once. */
const ZSTD_CHUNK_BYTES = 4 << 10

/** The content of a compressed file. Throws an Error with the reason if it is damaged. */
export const unpackedFile = (path: string, compression: 'gzip' | 'zstd'): AsyncGenerator<Buffer> =>
  compression === 'gzip' ? gunzipped(path) : unpackedZstd(path)

async function* gunzipped(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  file.on('error', thrown => gunzip.destroy(thrown))
  try {
    yield* file.pipe(gunzip) as AsyncIterable<Buffer>
  } finally {
    file.destroy()
  }
}

/** Checksums are not verified. */
async function* unpackedZstd(path: string): AsyncGenerator<Buffer> {
  const { fault } = await zstdFrames(path)
  if (fault !== undefined) throw new Error(`not a complete zstd file (${fault})`)
  let parts: Buffer[] = []
  const decompress = new Decompress(part => parts.push(Buffer.from(part)))
  for await (const chunk of createReadStream(path, {
    highWaterMark: ZSTD_CHUNK_BYTES,
  }) as AsyncIterable<Buffer>) {
    decompress.push(chunk)
    yield* parts
    parts = []
  }
  decompress.push(new Uint8Array(0), true)
  yield* parts
}
