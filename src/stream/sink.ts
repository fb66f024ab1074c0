import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { Failure, firstLine, systemCode } from '../engine/failure.ts'

/** Where a replay goes. */
export interface Sink {
  /** Resolves when there is room for more; false when nobody reads any further. */
  write(bytes: Uint8Array): Promise<boolean>
  /** All is written. */
  done(): Promise<void>
  /** It ends before all is written. */
  abandon(): Promise<void>
}

/** A stream of the process, such as standard output: one whose reader leaves, such as `head`, is no failure. */
export function streamSink(stream: Writable): Sink {
  // What a write meets is told to its callback.
  const quiet = () => {}
  stream.on('error', quiet)
  const end = async () => {
    stream.off('error', quiet)
  }
  return {
    write: bytes =>
      new Promise((resolve, reject) => {
        stream.write(bytes, error => {
          if (!error) resolve(true)
          else if ('code' in error && error.code === 'EPIPE') resolve(false)
          else reject(error)
        })
      }),
    done: end,
    abandon: end,
  }
}

/**
 * A file that must not exist yet. It has its name only when it is whole: until then it stands beside it under a
 * temporary one, and is removed if the replay ends early.
 */
export async function fileSink(path: string): Promise<Sink> {
  const taken = () =>
    new Failure('usage', `${path} exists already: give another name, or remove the file first`)
  if (existsSync(path)) throw taken()
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.partial`)
  const failed = (thrown: unknown) =>
    thrown instanceof Failure
      ? thrown
      : new Failure('lake_write', `${path} cannot be written: ${firstLine(thrown)}`, { cause: thrown })
  const file = await open(temporary, 'wx').catch(thrown => {
    throw failed(thrown)
  })
  const abandon = async () => {
    await file.close().catch(() => {})
    await rm(temporary, { force: true })
  }
  return {
    async write(bytes) {
      try {
        for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten
      } catch (thrown) {
        throw failed(thrown)
      }
      return true
    },
    async done() {
      try {
        await file.close()
        await publish(temporary, path)
      } catch (thrown) {
        throw systemCode(thrown) === 'EEXIST' ? taken() : failed(thrown)
      }
    },
    abandon,
  }
}

/** A link, unlike a rename, never takes the place of a file that has come meanwhile. */
async function publish(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path)
  } catch (thrown) {
    // Some file systems have no links.
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(systemCode(thrown))) throw thrown
    if (existsSync(path)) throw new Failure('usage', `${path} exists already: give another name`)
    await rename(temporary, path)
  }
  await rm(temporary, { force: true })
}
