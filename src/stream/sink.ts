import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { Failure, firstLine, systemCode } from '../engine/failure.ts'

/** The destination of a replay. */
export interface Sink {
  /** Resolves when the sink accepts more; false if the reader has closed it. */
  write(bytes: Uint8Array): Promise<boolean>
  /** Completes the output. */
  done(): Promise<void>
  /** Discards an incomplete output. */
  abandon(): Promise<void>
}

/**
 * A stream of the process, such as standard output. A reader that closes it early, such as `head`, is not a failure.
 */
export function streamSink(stream: Writable): Sink {
  // Errors are reported to the callbacks of writes.
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
 * A file that must not exist yet. It gets its name when it is complete: until then it has a temporary name in the same
 * folder, and it is removed if the replay ends early. Rejects with usage if the file exists, or lake_write.
 */
export async function fileSink(path: string): Promise<Sink> {
  const taken = () =>
    new Failure('usage', `${path} already exists: specify another name, or remove the file first`)
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

/** Gives the file its name. Unlike a rename, a link never replaces a file that was created meanwhile. */
async function publish(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path)
  } catch (thrown) {
    // Some file systems do not support links.
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(systemCode(thrown))) throw thrown
    if (existsSync(path)) throw new Failure('usage', `${path} already exists: specify another name`)
    await rename(temporary, path)
  }
  await rm(temporary, { force: true })
}
