import { dayOf } from '../../market/day.ts'
import { bytesIn } from './input/inputs.ts'
import type { Plan } from './plan.ts'
import { byteProgress } from './progress.ts'
import { readInput } from './read.ts'
import { countRejects, mostlyWrong, writeRejects } from './rows/rejects.ts'
import { unusedNotices } from './unused.ts'

/**
 * Reads every file into the import's tables. Returns the number of records of each (null if it was skipped). Throws Failure `input_refused` for a file that is mostly invalid.
 */
export async function readInputs(plan: Plan, name: string) {
  const { format, inputs, observe } = plan
  const today = dayOf(Date.now())
  const advance = byteProgress(`import ${format.name}`, bytesIn(inputs), observe)
  const unused = unusedNotices(observe)
  const skipped = (reason: string) => observe({ kind: 'notice', message: `skipped: ${reason}` })
  const reading = { ...plan, today, advance, unused, skipped }
  const records: (number | null)[] = []
  for (const [file, input] of inputs.entries()) {
    const found = await readInput(reading, file, input)
    records.push(found)
    if (format.isAlone) await assertMostlyRight(plan, name, file, found ?? 0)
  }
  return { records, reading }
}

/** Throws Failure `input_refused` if more than half of a file's rows are rejected. */
export async function assertMostlyRight(
  { writer, lake, exists, inputs }: Plan,
  name: string,
  file: number,
  rows: number,
) {
  const input = inputs[file]
  const rejected = await countRejects(writer, file)
  if (input === undefined || rejected * 2 <= rows) return
  const rejectsFile = exists ? await writeRejects(writer, lake, name, inputs) : null
  throw await mostlyWrong(writer, file, input, rejected, rows, rejectsFile)
}
