import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'

/** A name made from a sha256: its first 32 hex digits. */
export const contentName = (sha256: string) => sha256.slice(0, 32)

/** The sha256 of `content`, in hex. */
export const sha256Of = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

/** The content name of `content`. */
export const contentHash = (content: string | Uint8Array) => contentName(sha256Of(content))

/** The sha256 of a file's bytes, in hex; memory stays small however large the file is. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk)
  return hash.digest('hex')
}

const OWN_NAME = /^([0-9a-f]{32})\.(?:json|parquet)$/

/** Whether tapehouse wrote a file: its name is that of its content. Reads it only if the name looks like one. */
export async function isOwnFile(path: string): Promise<boolean> {
  const name = OWN_NAME.exec(basename(path))?.[1]
  return name !== undefined && name === contentName(await sha256OfFile(path))
}
