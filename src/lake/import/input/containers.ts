import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'

export type Compression = 'none' | 'gzip' | 'zstd'

/** What a file is, by its first bytes. `plain` is none of the others: text, or a kind that is read as it is. */
export type Container = 'zip' | 'tar' | 'tar in gzip' | 'gzip' | 'zstd' | 'plain'

/** Containers that are not read, by their first bytes in hex, and the next step. */
const REFUSED: readonly (readonly [hex: string, name: string, advice: string])[] = [
  ['377abcaf271c', 'a 7z archive', 'unpack it first, or pack the files as .zip'],
  ['526172211a07', 'a RAR archive', 'unpack it first, or pack the files as .zip'],
  ['fd377a585a00', 'compressed with xz', 'decompress it first, for example with "xz -d"'],
  ['425a68', 'compressed with bzip2', 'decompress it first, for example with "bzip2 -d"'],
  ['d0cf11e0a1b11ae1', 'an old Excel file (.xls), or one with a password', 'save it as .xlsx or .csv'],
]

const MAGIC: readonly (readonly [hex: string, container: 'zip' | 'gzip' | 'zstd'])[] = [
  ['504b0304', 'zip'],
  // An archive without members.
  ['504b0506', 'zip'],
  ['1f8b', 'gzip'],
  ['28b52ffd', 'zstd'],
]

/** A zstd file may begin with frames without data. */
const ZSTD_SKIPPABLE = /^5[0-9a-f]2a4d18/

const TAR_BLOCK_BYTES = 512
const CHECKSUM_AT = 148
const CHECKSUM_BYTES = 8

/** Recognises a file by its first bytes, of a gzip file also by those that it contains. */
export async function containerOf(path: string): Promise<Container> {
  const start = await firstBytes(path)
  const magic = magicOf(start)
  if (magic !== 'gzip') return magic ?? (isTarHeader(start) ? 'tar' : 'plain')
  return isTarHeader(await firstUnzipped(path)) ? 'tar in gzip' : 'gzip'
}

/** How a file is compressed, by its first bytes; by its name if these are neither of a compressed file nor text. */
export async function compressionOf(path: string, name: string): Promise<Compression> {
  const start = await firstBytes(path)
  const magic = magicOf(start)
  if (magic === 'gzip' || magic === 'zstd') return magic
  if (start.length > 0 && !start.includes(0)) return 'none'
  return /\.gz$/i.test(name) ? 'gzip' : /\.zst$/i.test(name) ? 'zstd' : 'none'
}

/** Why a file of a container that is not read is refused, with the next step; undefined for any other file. */
export async function refusedContainer(path: string): Promise<string | undefined> {
  const hex = (await firstBytes(path)).toString('hex', 0, CHECKSUM_BYTES)
  const found = REFUSED.find(([magic]) => hex.startsWith(magic))
  return found && `is ${found[1]}: ${found[2]}`
}

function magicOf(start: Buffer): 'zip' | 'gzip' | 'zstd' | undefined {
  const hex = start.toString('hex', 0, CHECKSUM_BYTES)
  if (ZSTD_SKIPPABLE.test(hex)) return 'zstd'
  return MAGIC.find(([magic]) => hex.startsWith(magic))?.[1]
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TAR_BLOCK_BYTES), 0, TAR_BLOCK_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The first bytes that a gzip file contains; none if it is damaged, which reading it reports. */
async function firstUnzipped(path: string): Promise<Buffer> {
  const file = createReadStream(path)
  const gunzip = createGunzip()
  file.on('error', thrown => gunzip.destroy(thrown))
  let start: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of file.pipe(gunzip) as AsyncIterable<Buffer>) {
      start = Buffer.concat([start, chunk])
      if (start.length >= TAR_BLOCK_BYTES) break
    }
  } catch {
    return start
  } finally {
    file.destroy()
  }
  return start
}

/** Whether a block has the checksum of a tar header, which is the sum of its bytes with blanks in the checksum's place. */
function isTarHeader(block: Buffer): boolean {
  if (block.length < TAR_BLOCK_BYTES || block[0] === 0) return false
  const written = /^\s*([0-7]+)[\s\0]/.exec(
    block.toString('latin1', CHECKSUM_AT, CHECKSUM_AT + CHECKSUM_BYTES),
  )
  if (written === null) return false
  let sum = 0
  for (const [place, byte] of block.subarray(0, TAR_BLOCK_BYTES).entries())
    sum += place >= CHECKSUM_AT && place < CHECKSUM_AT + CHECKSUM_BYTES ? 32 : byte
  return sum === Number.parseInt(written[1] ?? '', 8)
}
