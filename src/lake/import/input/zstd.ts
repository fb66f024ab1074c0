import { constants } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { literal, text } from '../../../engine/bind.ts'
import { Failure, firstLine } from '../../../engine/failure.ts'
import type { Writer } from '../../../engine/writer.ts'
import { writeFailure } from '../../store/durable.ts'
import { ARCHIVE_LIMITS, assertWithin } from './archives.ts'
import { unpackedFile } from './decompress.ts'
import type { Input } from './inputs.ts'
import { RECORD_BYTES_MAX } from './records.ts'
import { zstdFrames } from './zstd-frames.ts'

/**
 * Decompresses a zstd file of text lines into `folder`. Returns the path of the result, which the caller removes. Line
 * ends become LF. Uses DuckDB, because Node 20 lacks zstd; DuckDB does not detect a truncated file, so the frames are
 * checked first. Throws Failure `input_refused`.
 */
export async function unpackZstd(input: Input, writer: Writer, folder: string): Promise<string> {
  const refused = (why: string, cause?: unknown) =>
    new Failure('input_refused', `${input.shown} cannot be decompressed: ${why}`, { cause })
  const { fault, bytesMax } = await zstdFrames(input.path)
  if (fault !== undefined) throw refused(`it is not a complete zstd file (${fault}): download it again`)
  await assertNoBomb(input, bytesMax)

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

/** Throws Failure `input_refused` for a file that unpacks to too much. DuckDB would fill the disk before it returns. */
async function assertNoBomb(input: Input, bytesMax: number): Promise<void> {
  const { ratio, ratioFromBytes, bytes: most } = ARCHIVE_LIMITS
  if (bytesMax <= Math.max(ratioFromBytes, Math.min(most, input.bytes * ratio))) return
  let bytes = 0
  for await (const part of unpackedFile(input.path, 'zstd')) {
    bytes += part.length
    assertWithin(input, bytes)
  }
}

/** Four control characters that text does not contain, so that each line is one field. */
const NO_DELIMITER = '\u0001\u0002\u0003\u0004'
