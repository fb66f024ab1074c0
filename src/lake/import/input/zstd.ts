import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { literal, text } from '../../../engine/bind.ts'
import { Failure, firstLine } from '../../../engine/failure.ts'
import type { Writer } from '../../../engine/writer.ts'
import { writeFailure } from '../../store/durable.ts'
import type { Input } from './inputs.ts'
import { RECORD_BYTES_MAX } from './records.ts'

/**
 * Decompresses a zstd file of text lines into `folder`. Returns the path of the result, which the caller removes. Line
 * ends become LF. Uses DuckDB, because Node 20 lacks zstd; DuckDB does not detect a truncated file, so the frames are
 * checked first. Throws Failure `input_refused`.
 */
export async function unpackZstd(input: Input, writer: Writer, folder: string): Promise<string> {
  const refused = (why: string, cause?: unknown) =>
    new Failure('input_refused', `${input.shown} cannot be decompressed: ${why}`, { cause })
  const fault = await faultOfZstd(input.path)
  if (fault !== undefined) throw refused(`it is not a complete zstd file (${fault}): download it again`)

  // DuckDB gets a file name without quotes and wildcards.
  const packed = join(folder, 'packed.zst')
  const unpacked = join(folder, 'unpacked.csv')
  await copyFile(input.path, packed, constants.COPYFILE_FICLONE).catch(thrown => {
    throw writeFailure(packed, thrown)
  })
  try {
    await writer.run(`
      COPY (
        SELECT line
        FROM read_csv(${literal(text(packed))}, columns = {'line': 'VARCHAR'}, compression = 'zstd',
          auto_detect = false, header = false, delim = '${NO_DELIMITER}', quote = '', escape = '',
          strict_mode = false, max_line_size = ${RECORD_BYTES_MAX * 2})
      ) TO ${literal(text(unpacked))} (FORMAT csv, HEADER false, DELIM '${NO_DELIMITER}', QUOTE '', ESCAPE '')`)
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
    const why = /unicode|utf-8/i.test(String(thrown)) ? 'it is not UTF-8 text' : firstLine(thrown)
    throw refused(`${why}; decompress it with "zstd -d" and import the .csv`, thrown)
  } finally {
    await rm(packed, { force: true })
  }
  return unpacked
}

/** Four control characters that text does not contain, so that each line is one field. */
const NO_DELIMITER = '\u0001\u0002\u0003\u0004'

const FRAME = 0xfd2fb528
const FRAME_START_BYTES = 8
const SKIPPABLE = 0x184d2a50
const SKIPPABLE_MASK = 0xfffffff0
const CUT_OFF = Number.POSITIVE_INFINITY
const SIZES_OF_DICTIONARY_ID = [0, 1, 2, 4]
const SIZES_OF_CONTENT_SIZE = [0, 2, 4, 8]
const RUN_BLOCK = 1

/** The reason why a file is not a sequence of complete zstd frames (RFC 8878, section 3.1); undefined if it is. */
async function faultOfZstd(path: string): Promise<string | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    let at = 0
    while (at < size) {
      const end = await endOfFrame(file, at)
      if (end === undefined) return 'wrong magic number'
      if (end > size) return 'truncated'
      at = end
    }
  } finally {
    await file.close()
  }
}

/** The end of the frame at `at`, which is after the end of a truncated file; undefined if there is no frame. */
async function endOfFrame(file: FileHandle, at: number): Promise<number | undefined> {
  const start = await bytesAt(file, at, FRAME_START_BYTES)
  if (start === undefined) return CUT_OFF
  const magic = start.readUInt32LE(0)
  if ((magic & SKIPPABLE_MASK) >>> 0 === SKIPPABLE) return at + 8 + start.readUInt32LE(4)
  if (magic !== FRAME) return
  const descriptor = start.readUInt8(4)
  const singleSegment = (descriptor & 0x20) !== 0
  const contentSize = SIZES_OF_CONTENT_SIZE[descriptor >> 6] ?? 0
  const dictionaryId = SIZES_OF_DICTIONARY_ID[descriptor & 3] ?? 0
  const checksum = (descriptor & 4) === 0 ? 0 : 4
  // A single segment has no window size, and its content size takes at least one byte.
  let block = at + 5 + dictionaryId + (singleSegment ? Math.max(contentSize, 1) : contentSize + 1)
  for (;;) {
    const header = (await bytesAt(file, block, 3))?.readUIntLE(0, 3)
    if (header === undefined) return CUT_OFF
    block += 3 + (((header >> 1) & 3) === RUN_BLOCK ? 1 : header >> 3)
    if ((header & 1) === 1) return block + checksum
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer | undefined> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position)
  return bytesRead === length ? buffer : undefined
}
