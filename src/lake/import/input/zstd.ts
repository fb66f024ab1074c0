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
 * Unpacks a zstd file into `folder`, line by line, and answers the path; the caller removes it. DuckDB does it,
 * since not every Node that we run on can. It takes a file that breaks off for a whole one, hence the look at the
 * frames before. Line ends come out as LF. Throws Failure `input_refused`.
 */
export async function unpackZstd(input: Input, writer: Writer, folder: string): Promise<string> {
  const refused = (why: string, cause?: unknown) =>
    new Failure('input_refused', `${input.shown} cannot be unpacked: ${why}`, { cause })
  const fault = await faultOfZstd(input.path)
  if (fault !== undefined) throw refused(`it is not a whole zstd file (${fault}): fetch it again`)

  // The engine sees a name of ours only, never a person's with its quotes and wildcards.
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
    throw refused(`${why}; unpack it with "zstd -d" and import the .csv`, thrown)
  } finally {
    await rm(packed, { force: true })
  }
  return unpacked
}

/** Four control characters, which no line of a text holds together: a line is one field. */
const NO_DELIMITER = '\u0001\u0002\u0003\u0004'

const FRAME = 0xfd2fb528
const FRAME_START_BYTES = 8
const SKIPPABLE = 0x184d2a50
const SKIPPABLE_MASK = 0xfffffff0
const CUT_OFF = Number.POSITIVE_INFINITY
const SIZES_OF_DICTIONARY_ID = [0, 1, 2, 4]
const SIZES_OF_CONTENT_SIZE = [0, 2, 4, 8]
const RUN_BLOCK = 1

/** What keeps a file from being whole zstd frames (RFC 8878, section 3.1) up to its end; undefined if nothing does. */
async function faultOfZstd(path: string): Promise<string | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    let at = 0
    while (at < size) {
      const end = await endOfFrame(file, at)
      if (end === undefined) return 'it does not start like one'
      if (end > size) return 'it breaks off'
      at = end
    }
  } finally {
    await file.close()
  }
}

/** Where the frame at `at` ends, which is behind the end of a file that breaks off; undefined if there is none. */
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
  // A single segment has no window size, and gives its content size in one byte at least.
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
