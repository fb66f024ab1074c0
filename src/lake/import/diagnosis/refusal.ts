import { Failure } from '../../../engine/failure.ts'
import type { Input } from '../input/inputs.ts'
import { unpackedBytes } from '../input/source.ts'
import type { Reading } from '../rows/reading.ts'
import { diagnoseFile, diagnosisOf, START_BYTES } from './diagnose.ts'

type Unpacking = Pick<Reading, 'writer' | 'folder'>

/** The refusal of a file with what the file is, if that is known; anything else that was thrown stays. */
export async function diagnosed(reading: Unpacking, input: Input, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof Failure && thrown.code === 'input_refused')) return thrown
  const found = await diagnosisOfInput(reading, input)
  return found === null
    ? thrown
    : new Failure('input_refused', `${input.shown} ${found}`, { cause: thrown.cause })
}

/** Throws Failure `input_refused` if a file that would be skipped is a download that failed, or no data at all. */
export async function assertData(reading: Unpacking, input: Input): Promise<void> {
  const found = await diagnosisOfInput(reading, input)
  if (found !== null) throw new Failure('input_refused', `${input.shown} ${found}`)
}

/** The diagnosis of a file as it is, or of what it contains. */
async function diagnosisOfInput({ writer, folder }: Unpacking, input: Input): Promise<string | null> {
  const bare = await diagnoseFile(input)
  if (bare !== null || input.compression === 'none') return bare
  try {
    for await (const bytes of unpackedBytes(input, writer, folder, () => {}))
      return diagnosisOf(bytes.subarray(0, START_BYTES))
  } catch {
    // It cannot be unpacked, which is the reason that was thrown.
  }
  return null
}
