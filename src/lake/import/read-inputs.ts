import { dayOf } from '../../market/day.ts'
import { assertData, diagnosed } from './diagnosis/refusal.ts'
import { bytesIn, type Input } from './input/inputs.ts'
import type { Plan } from './plan.ts'
import { byteProgress } from './progress.ts'
import { readInput } from './read.ts'
import { rowCounts } from './rows/accounts.ts'
import { mapAll } from './rows/mapping.ts'
import type { Reading } from './rows/reading.ts'
import { countRejects, mostlyInvalid, writeRejects } from './rows/rejects.ts'
import { clearMapped, forgetFile } from './rows/remove.ts'
import { type UnusedColumns, unusedColumns } from './unused.ts'

/** What was read of the files of an import. */
export interface FilesRead {
  readonly reading: Reading
  /** The number of records of each file; null if it was skipped or refused. */
  readonly records: (number | null)[]
  readonly unused: readonly UnusedColumns[]
}

/**
 * Reads every file into the import's tables. Throws Failure `input_refused` for a file that cannot be read or is mostly
 * invalid, unless it may be refused without the others.
 */
export async function readInputs(plan: Plan): Promise<FilesRead> {
  const { writer, format, inputs, refused, observe } = plan
  const today = dayOf(Date.now())
  const advance = byteProgress(`import ${format.name}`, bytesIn(inputs), observe)
  const unused = unusedColumns(observe)
  const notice = (message: string) => observe({ kind: 'notice', message })
  const mapped = (done: number, total: number) =>
    observe({ kind: 'progress', task: `map ${format.name}`, done, total, unit: 'steps' })
  const reading = { ...plan, today, advance, mapped, unused: unused.add, notice }
  const records: (number | null)[] = []
  for (const [file, input] of inputs.entries()) {
    try {
      const found = await readInput(reading, file, input)
      if (found === null) await assertData(plan, input)
      if (format.isAlone)
        await assertMostlyRight(plan, file, input, await countRejects(writer, file), found ?? 0)
      records.push(found)
    } catch (thrown) {
      refused.add(input.shown, await diagnosed(plan, input, thrown))
      await forgetFile(writer, format, file)
      records.push(null)
    }
  }
  return { records, reading, unused: unused.all() }
}

/**
 * Maps the raw rows of all files. Files that are mostly invalid are refused, and the others mapped again without them,
 * because the rows of one may depend on those of another. The first `broken` rejects are those of lines that were not
 * read. Returns their number without refused files. Throws Failure `input_refused` like `readInputs`.
 */
export async function mapInputs(plan: Plan, read: FilesRead, broken: number): Promise<number> {
  const { writer, format, inputs, refused } = plan
  const { reading, records } = read
  await clearMapped(writer, format, broken)
  await mapAll(reading)
  const bad: number[] = []
  const rowsIn = await rowCounts(writer)
  for (const [file, input] of inputs.entries()) {
    const { kept, rejected } = rowsIn(file)
    try {
      await assertMostlyRight(plan, file, input, rejected, Math.max(records[file] ?? 0, kept + rejected))
    } catch (thrown) {
      refused.add(input.shown, await diagnosed(plan, input, thrown))
      bad.push(file)
    }
  }
  if (bad.length === 0) return broken
  await clearMapped(writer, format, broken)
  for (const file of bad) {
    await forgetFile(writer, format, file)
    records[file] = null
  }
  return mapInputs(plan, read, await countRejects(writer))
}

/** Throws Failure `input_refused` if more than half of a file's rows are rejected. */
async function assertMostlyRight(
  { writer, lake, exists, inputs, name, refused, isDryRun }: Plan,
  file: number,
  input: Input,
  rejected: number,
  rows: number,
) {
  if (rejected * 2 <= rows) return
  const endsImport = !refused.isTolerant
  const isKept = exists && endsImport && !isDryRun
  const rejectsFile = isKept ? await writeRejects(writer, lake, name, inputs) : null
  throw await mostlyInvalid(writer, file, input, rejected, rows, endsImport, rejectsFile)
}
