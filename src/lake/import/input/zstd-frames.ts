import { type FileHandle, open } from 'node:fs/promises'

const FRAME = 0xfd2fb528
const FRAME_START_BYTES = 8
/** `zstd -d` refuses larger windows too, because they are memory. */
const WINDOW_BYTES_MAX = 128 << 20
const SKIPPABLE = 0x184d2a50
const SKIPPABLE_MASK = 0xfffffff0
const BLOCK_BYTES_MAX = 128 << 10
const SIZES_OF_DICTIONARY_ID = [0, 1, 2, 4]
const SIZES_OF_CONTENT_SIZE = [0, 2, 4, 8]
const COMPRESSED_BLOCK = 2
const RUN_BLOCK = 1

/** What the frames of a zstd file show. */
export interface ZstdFrames {
  /** Why it is not a sequence of complete frames (RFC 8878, section 3.1); undefined if it is. */
  readonly fault: string | undefined
  /** Its unpacked size is at most this. */
  readonly bytesMax: number
}

export async function zstdFrames(path: string): Promise<ZstdFrames> {
  const file = await open(path)
  let bytesMax = 0
  try {
    const { size } = await file.stat()
    let at = 0
    while (at < size) {
      const frame = await frameAt(file, at)
      if (typeof frame === 'string') return { fault: frame, bytesMax }
      if (frame.end > size) return { fault: TRUNCATED, bytesMax }
      bytesMax += frame.bytesMax
      at = frame.end
    }
    return { fault: undefined, bytesMax }
  } finally {
    await file.close()
  }
}

const TRUNCATED = 'truncated'

/** The frame at a place: its end, and its greatest unpacked size; or what is wrong with it. */
async function frameAt(file: FileHandle, at: number): Promise<{ end: number; bytesMax: number } | string> {
  const start = await bytesAt(file, at, FRAME_START_BYTES)
  if (start === undefined) return TRUNCATED
  const magic = start.readUInt32LE(0)
  if ((magic & SKIPPABLE_MASK) >>> 0 === SKIPPABLE)
    return { end: at + 8 + start.readUInt32LE(4), bytesMax: 0 }
  if (magic !== FRAME) return 'wrong magic number'
  const descriptor = start.readUInt8(4)
  const isSingleSegment = (descriptor & 0x20) !== 0
  const sizeBytes = SIZES_OF_CONTENT_SIZE[descriptor >> 6] ?? 0
  const dictionaryId = SIZES_OF_DICTIONARY_ID[descriptor & 3] ?? 0
  const checksum = (descriptor & 4) === 0 ? 0 : 4
  // A single segment has no window size, and its content size takes at least one byte.
  let block = at + 5 + dictionaryId + (isSingleSegment ? Math.max(sizeBytes, 1) : sizeBytes + 1)
  const high =
    isSingleSegment && sizeBytes >= 4 ? await bytesAt(file, at + 5 + dictionaryId, sizeBytes) : null
  if (high === undefined) return TRUNCATED
  const window = isSingleSegment ? contentBytes(high) : windowBytes(start.readUInt8(5))
  if (window > WINDOW_BYTES_MAX) return 'its window is larger than 128 MiB'
  let bytesMax = 0
  for (;;) {
    const header = (await bytesAt(file, block, 3))?.readUIntLE(0, 3)
    if (header === undefined) return TRUNCATED
    const kind = (header >> 1) & 3
    bytesMax += kind === COMPRESSED_BLOCK ? BLOCK_BYTES_MAX : header >> 3
    block += 3 + (kind === RUN_BLOCK ? 1 : header >> 3)
    if ((header & 1) === 1) return { end: block + checksum, bytesMax }
  }
}

/** The content size of a frame, if it takes four bytes or more. A shorter one is small. */
const contentBytes = (field: Buffer | null) =>
  field === null ? 0 : field.length === 8 ? Number(field.readBigUInt64LE(0)) : field.readUInt32LE(0)

/** The size of a window: an exponent and eighths. */
const windowBytes = (descriptor: number) => 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8)

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer | undefined> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position)
  return bytesRead === length ? buffer : undefined
}
