import type { ImportFormat } from './format/format.ts'
import { bytesIn, type Input } from './input/inputs.ts'

const FILES_MIN = 16
/** Of a file, on average: the mapping of a daily bar is planned in the time in which 10,000 rows are mapped. */
const BYTES_MAX = 256 * 1024

/**
 * A format as an import reads these files. If each row is mapped independently, a file is mapped as it is read, so that its text
 * is never stored. The text of many small files is stored, and mapped at once: planning the mapping of each would take longer.
 */
export function formatFor(format: ImportFormat, inputs: readonly Pick<Input, 'bytes'>[]): ImportFormat {
  const areManySmall = inputs.length >= FILES_MIN && bytesIn(inputs) <= inputs.length * BYTES_MAX
  return format.canonical === null && areManySmall ? { ...format, isAlone: false } : format
}
