import type { ImportFormat } from './format/format.ts'
import { bytesIn, type Input } from './input/inputs.ts'

const FILES_MIN = 16
/** Of a file, on average: the mapping of daily bars is planned in the time in which it maps 10,000 rows. */
const BYTES_MAX = 256 * 1024
/** Of all files, so that their text, which may be compressed, does not fill the disk. */
const ALL_BYTES_MAX = 512 * 1024 * 1024

/**
 * A format as an import reads these files. If each row is mapped independently, a file is mapped as it is read, so that its text
 * is never stored. The text of many small files is stored, and mapped at once: planning the mapping of each would take longer.
 */
export function formatFor(format: ImportFormat, inputs: readonly Pick<Input, 'bytes'>[]): ImportFormat {
  const bytesMax = Math.min(inputs.length * BYTES_MAX, ALL_BYTES_MAX)
  const areManySmall = inputs.length >= FILES_MIN && bytesIn(inputs) <= bytesMax
  return format.canonical === null && areManySmall ? { ...format, isAlone: false } : format
}
