import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createTarDecoder } from 'modern-tar'
import { validateFileName } from 'yauzl'
import type { Compression } from './containers.ts'
import { unpackedFile } from './decompress.ts'
import type { Member } from './member.ts'

const CHUNK_BYTES = 1 << 20

/**
 * The members of a tar archive, each of which must be read before the next one. Throws an Error with the reason if the
 * archive is damaged, or has a name that leads out of it.
 */
export async function* tarMembers(path: string, compression: Compression): AsyncGenerator<Member> {
  const file =
    compression === 'none'
      ? createReadStream(path, { highWaterMark: CHUNK_BYTES })
      : Readable.from(unpackedFile(path, compression))
  const bytes = Readable.toWeb(file) as ReadableStream<Uint8Array>
  try {
    for await (const { header, body } of bytes.pipeThrough(createTarDecoder({ strict: true }))) {
      const fault = validateFileName(header.name)
      if (fault !== null) throw new Error(fault)
      let isRead = false
      yield {
        name: header.name,
        isApart: false,
        isFile: header.type === 'file',
        fault: undefined,
        bytes() {
          isRead = true
          return body
        },
      }
      if (!isRead) await body.cancel()
    }
  } finally {
    file.destroy()
  }
}
