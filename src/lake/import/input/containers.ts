import { open } from 'node:fs/promises'
import { unpackedFile } from './decompress.ts'

export type Compression = 'none' | 'gzip' | 'zstd'

/** What a file is, by its first bytes. `plain` is none of the others: text, or a kind that is read as it is. */
export type Container = 'zip' | 'tar' | 'tar in gzip' | 'tar in zstd' | 'gzip' | 'zstd' | 'plain'

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

/** Recognises a file by its first bytes, of a compressed file also by those that it contains. */
export const containerOf = async (path: string): Promise<Container> => (await lookAt(path)).container

/** What a file is, and its first bytes: of a compressed file, those that it contains. */
export async function lookAt(path: string): Promise<{ container: Container; start: Buffer }> {
  const packed = await firstBytes(path)
  const magic = magicOf(packed)
  if (magic === undefined) return { container: isTarHeader(packed) ? 'tar' : 'plain', start: packed }
  if (magic === 'zip') return { container: 'zip', start: packed }
  const start = await firstUnpacked(path, magic)
  return { container: isTarHeader(start) ? `tar in ${magic}` : magic, start }
}

/** How a file is compressed, by its first bytes; by its name if these are neither of a compressed file nor text. */
export async function compressionOf(path: string, name: string): Promise<Compression> {
  const start = await firstBytes(path)
  const magic = magicOf(start)
  if (magic === 'gzip' || magic === 'zstd') return magic
  if (start.length > 0 && !start.includes(0)) return 'none'
  return /\.gz$/i.test(name) ? 'gzip' : /\.zst$/i.test(name) ? 'zstd' : 'none'
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

/** The first bytes that a compressed file contains; none if it is damaged, which reading it reports. */
async function firstUnpacked(path: string, compression: 'gzip' | 'zstd'): Promise<Buffer> {
  let start: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of unpackedFile(path, compression)) {
      start = Buffer.concat([start, chunk])
      if (start.length >= TAR_BLOCK_BYTES) break
    }
  } catch {
    return start
  }
  return start.subarray(0, TAR_BLOCK_BYTES)
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
