import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'

/** A name made from a sha256: its first 32 hex digits. */
export const contentName = (sha256: string) => sha256.slice(0, 32)

/** The sha256 of `content`, in hex. */
export const sha256Of = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

/** The content name of `content`. */
export const contentHash = (content: string | Uint8Array) => contentName(sha256Of(content))

/**
 * The sha256 of a file's bytes, in hex; memory stays small however large the file is. Each byte read goes into the same
 * buffer: with one for each chunk, as streams do it, the garbage collector took a tenth of the time of a generation.
 * `advance` is told the bytes as they come; what it throws ends the reading.
 */
export async function sha256OfFile(
  path: string,
  advance: (bytes: number) => void = () => {},
): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const buffer = Buffer.allocUnsafe(Math.max(BYTES_LEAST, Math.min(size, BYTES_MOST)))
    for (;;) {
      const { bytesRead } = await file.read(buffer)
      if (bytesRead === 0) return hash.digest('hex')
      advance(bytesRead)
      hash.update(buffer.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}

/** Bytes that are read at once: no more than a small file has, and some where its size is not known before. */
const BYTES_LEAST = 2 ** 14
const BYTES_MOST = 2 ** 20

const OWN_NAME = /^([0-9a-f]{32})\.(?:json|parquet)$/

/** Whether tapehouse wrote a file: its name is that of its content. Reads it only if the name looks like one. */
export async function isOwnFile(path: string): Promise<boolean> {
  const name = OWN_NAME.exec(basename(path))?.[1]
  return name !== undefined && name === contentName(await sha256OfFile(path))
}
