import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { integer } from '../../engine/bind.ts'
import { Failure, firstLine } from '../../engine/failure.ts'
import { containerOf } from './input/containers.ts'
import { assertUnchanged, type Input, oneLine, versionOf } from './input/inputs.ts'
import { fieldsOf } from './rows/header.ts'
import type { Reading } from './rows/reading.ts'
import { writeSheet } from './xlsx/sheet.ts'
import { openWorkbook, type Sheet } from './xlsx/workbook.ts'

const SHEETS_SHOWN = 10

/** Whether a file is a workbook of Excel. Other zip archives have been unpacked before. */
export const isWorkbookFile = async ({ path, compression }: Pick<Input, 'path' | 'compression'>) =>
  compression === 'none' && (await containerOf(path)) === 'zip'

/**
 * The sheets of a workbook, each as a CSV file in the folder that the next one replaces. Throws Failure `input_refused` for
 * a damaged workbook.
 */
export async function* sheetsAsCsv(
  input: Input,
  folder: string,
  choose: (sheets: readonly Sheet[]) => readonly Sheet[] = sheets => sheets,
): AsyncGenerator<Input> {
  const path = join(folder, 'sheet.csv')
  try {
    const workbook = await openWorkbook(input)
    for (const sheet of choose(workbook.sheets)) {
      await writeSheet(workbook, sheet, path)
      yield { ...input, path, real: path, version: versionOf(await stat(path)) }
    }
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
    throw new Failure(
      'input_refused',
      `${input.shown} is not a whole workbook: ${oneLine(firstLine(thrown))}: download it again`,
      { cause: thrown },
    )
  }
}

/**
 * Reads a workbook with `read`, one sheet as a CSV file: the specified one, otherwise the first in which a header is found.
 * Throws Failure `input_refused` for a damaged workbook, and the failure of its first sheet if none has a header.
 */
export async function readWorkbook(
  reading: Reading,
  number: number,
  input: Input,
  read: (sheet: Input) => Promise<number | null>,
): Promise<number | null> {
  let refused: Failure | undefined
  let names = ''
  const choose = (sheets: readonly Sheet[]) => {
    names = shownNames(sheets)
    return sheetsFor(reading, input, sheets)
  }
  for await (const sheet of sheetsAsCsv(input, reading.folder, choose)) {
    reading.canceling.check()
    try {
      const records = await read(sheet)
      await assertUnchanged(input)
      return records
    } catch (thrown) {
      if (
        !(thrown instanceof Failure) ||
        thrown.code !== 'input_refused' ||
        (await hasHeader(reading, number))
      )
        throw thrown
      refused ??= thrown
    }
  }
  if (refused === undefined)
    throw new Failure('input_refused', `${input.shown} has no sheets: download it again, or exclude it`)
  throw new Failure('input_refused', `${refused.message}; no other sheet fits either: it has ${names}`, {
    cause: refused.cause,
  })
}

/** The sheet that was read of a workbook, as a CSV file: the first with the header that was found; null if none has it. */
export async function sheetRead(reading: Reading, number: number, input: Input): Promise<Input | null> {
  const [row] = await reading.writer.rows('SELECT header FROM files WHERE file = $number', {
    number: integer(number),
  })
  const header = JSON.stringify(row?.header)
  for await (const sheet of sheetsAsCsv(input, reading.folder, sheets => sheetsFor(reading, input, sheets))) {
    const lines = createInterface({ input: createReadStream(sheet.path) })
    for await (const line of lines) if (JSON.stringify(fieldsOf(line, ',')) === header) return sheet
  }
  return null
}

/** The sheets to try, in order. */
function sheetsFor(
  { sheet, layouts }: Pick<Reading, 'sheet' | 'layouts'>,
  input: Input,
  sheets: readonly Sheet[],
): readonly Sheet[] {
  const keyOf = (name: string) => name.trim().toLowerCase()
  if (sheet === undefined) {
    const ofLayouts = new Set(
      layouts.flatMap(({ file }) => (file.sheet === undefined ? [] : [keyOf(file.sheet)])),
    )
    return sheets.toSorted(
      (a, b) => Number(ofLayouts.has(keyOf(b.name))) - Number(ofLayouts.has(keyOf(a.name))),
    )
  }
  const found = sheets.find(({ name }) => keyOf(name) === keyOf(sheet))
  if (found !== undefined) return [found]
  throw new Failure(
    'input_refused',
    `${input.shown} has no sheet ${JSON.stringify(oneLine(sheet))}: use one of ${shownNames(sheets)}`,
  )
}

const shownNames = (sheets: readonly Sheet[]) =>
  `${sheets
    .slice(0, SHEETS_SHOWN)
    .map(({ name }) => oneLine(name))
    .join(', ')}${sheets.length > SHEETS_SHOWN ? ', …' : ''}`

/** Whether a header was found in a file. */
async function hasHeader({ writer }: Reading, number: number): Promise<boolean> {
  const [row] = await writer.rows('SELECT count(*) AS found FROM files WHERE file = $number', {
    number: integer(number),
  })
  return row?.found !== '0'
}
