import { Failure, firstLine } from '../../engine/failure.ts'
import type { Source } from './format/format.ts'
import { assertUnchanged, type Input } from './input/inputs.ts'
import { textIn } from './input/source.ts'
import { notRead, takerOfFirst } from './json/json.ts'
import { recordsTaker } from './json/records.ts'
import type { Reading } from './rows/reading.ts'
import { recordFile } from './rows/tables.ts'
import { readFilings } from './xml/edgar.ts'

/**
 * Reads a file of XML documents into the records of its source. Returns their number. Throws Failure `input_refused` if
 * the file cannot be read to its end, is larger than 256 MiB, matches no source, or has no records.
 */
export async function readXmlFile(
  reading: Reading,
  number: number,
  input: Input,
  sources: readonly Source[],
): Promise<number> {
  await recordFile(reading.writer, number, input, [], [])
  const content = await textIn(reading, input)
  await assertUnchanged(input)
  const repeated = new Set(sources.flatMap(source => [...source.repeated]))
  const taker = takerOfFirst(input, sources, source => recordsTaker(reading, number, source))
  for (const [index, record] of filingsIn(input, content, repeated).entries()) {
    taker.take({ text: JSON.stringify(record), number: index + 1, fault: undefined, isLine: false })
    await taker.flushIfFull()
  }
  return taker.end()
}

function filingsIn(input: Input, content: string, repeated: ReadonlySet<string>): unknown[] {
  try {
    return readFilings(content, repeated)
  } catch (thrown) {
    throw thrown instanceof Failure ? thrown : notRead(input, firstLine(thrown))
  }
}
