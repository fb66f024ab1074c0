import { Failure } from '../../../engine/failure.ts'
import type { Source } from '../format/format.ts'
import type { Input } from '../input/inputs.ts'
import type { Reading } from '../rows/reading.ts'
import { readByLine } from './lines.ts'
import { readWhole } from './whole.ts'

/**
 * Reads a CSV file into the table of its source, and rejects invalid lines with a reason. Returns its number of records.
 * Throws Failure `input_refused` if the file cannot be read to its end, matches no source, or has no records.
 */
export async function readCsv(
  reading: Reading,
  number: number,
  input: Input,
  sources: readonly Source[],
): Promise<number> {
  // The bytes of a file that is read twice count once.
  let furthest = 0
  const counting = (): Reading => {
    let at = 0
    const advance = (bytes: number) => {
      at += bytes
      if (at > furthest) reading.advance(at - furthest)
      furthest = Math.max(furthest, at)
    }
    return { ...reading, advance }
  }
  const { start, records } =
    (await readWhole(counting(), number, input, sources)) ??
    (await readByLine(counting(), number, input, sources))
  if (records === 0)
    throw new Failure(
      'input_refused',
      `${input.shown} has a header and no rows: download it again, or exclude it`,
    )
  reading.unused(input, start.header.unused)
  return records
}
