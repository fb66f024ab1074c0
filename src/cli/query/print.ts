import { createHash } from 'node:crypto'
import type { Parts } from '../../operations/answering/pages.ts'
import type { Digested } from '../../operations/citing/explanation.ts'

/** Resolves when the content is written; to false if the reader has closed the pipe, as `head` does, which is no error. */
export function print(content: string | Uint8Array): Promise<boolean> {
  return new Promise((done, fail) => {
    process.stdout.write(content, error => {
      if (!error) done(true)
      else if ('code' in error && error.code === 'EPIPE') done(false)
      else fail(error)
    })
  })
}

/** Prints every part, until the reader closes the pipe. */
export async function printAll(parts: Parts): Promise<void> {
  await forEach(parts, print)
}

/** Counts and hashes every part. */
export async function digest(parts: Parts): Promise<Digested> {
  const hash = createHash('sha256')
  let bytes = 0
  await forEach(parts, part => {
    hash.update(part)
    bytes += part.byteLength
    return true
  })
  return { bytes, sha256: hash.digest('hex') }
}

/** Passes each part to `take` until that returns false, and closes the parts. */
async function forEach(
  { first, rest, close }: Parts,
  take: (part: Uint8Array) => boolean | Promise<boolean>,
): Promise<void> {
  try {
    let isWanted = await take(first)
    while (isWanted) {
      const part = (await rest?.next())?.value
      if (part === undefined) return
      isWanted = await take(part)
    }
  } finally {
    await close()
  }
}
