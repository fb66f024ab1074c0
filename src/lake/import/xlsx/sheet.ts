import { open } from 'node:fs/promises'
import { writeFailure } from '../../store/durable.ts'
import { textOfNumber } from './cells.ts'
import { readPart } from './part.ts'
import { type Sheet, textGatherer, unescaped, type Workbook } from './workbook.ts'

/** The largest sheet of Excel. */
const ROWS_MAX = 1_048_576
const COLUMNS_MAX = 16_384
const LETTERS = 26

/** A row that has cells: their texts, without blank ones at its end. */
type TakeRow = (cells: readonly string[], number: number) => void

/**
 * Writes a sheet as a CSV file, each row on the line of its number, with as many fields as the widest row. Line breaks in
 * cells become spaces. Throws an Error with a reason if the sheet is damaged or too large.
 */
export async function writeSheet(workbook: Workbook, sheet: Sheet, path: string): Promise<void> {
  let width = 0
  await readRows(workbook, sheet, cells => {
    width = Math.max(width, cells.length)
  })
  const failed = (thrown: unknown) => {
    throw writeFailure(path, thrown)
  }
  const file = await open(path, 'w').catch(failed)
  try {
    let lines = ''
    let row = 1
    await readRows(
      workbook,
      sheet,
      (cells, number) => {
        const fields = Array.from({ length: width }, (_, place) => field(cells[place] ?? ''))
        lines += `${'\n'.repeat(number - row)}${fields.join(',')}\n`
        row = number + 1
      },
      async () => {
        await file.write(lines).catch(failed)
        lines = ''
      },
    )
  } finally {
    await file.close()
  }
}

const field = (text: string) => (/[",;|\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

async function readRows(
  { path, bytes, texts, kinds, is1904 }: Workbook,
  sheet: Sheet,
  take: TakeRow,
  after: () => Promise<void> = async () => {},
): Promise<void> {
  let row = 0
  let column = -1
  let cells: string[] = []
  let type = ''
  let style = 0
  let value = ''
  let isValue = false
  const inline = textGatherer()

  const textOfCell = () => {
    if (type === 's') return texts[Number(value)] ?? ''
    if (type === 'inlineStr') return inline.take()
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    if (type === 'str') return unescaped(value)
    return type === 'e' || type === 'd' ? value : textOfNumber(value, kinds[style] ?? 'number', is1904)
  }
  await readPart({ path, bytes }, sheet.part, {
    open(name, { r, t = 'n', s = '0' }) {
      if (name === 'row') {
        const number = r === undefined ? row + 1 : Number(r)
        if (!(number > row && number <= ROWS_MAX)) throw new Error(`its row ${r} is not after row ${row}`)
        row = number
        column = -1
        cells = []
      } else if (name === 'c') {
        const place = r === undefined ? column + 1 : columnOf(r)
        if (!(place > column && place < COLUMNS_MAX)) throw new Error(`its cell ${r} is not in order`)
        column = place
        type = t
        style = Number(s)
        value = ''
      }
      isValue = name === 'v'
      inline.open?.(name, {})
    },
    text(piece) {
      if (isValue) value += piece
      inline.text?.(piece)
    },
    close(name) {
      inline.close?.(name)
      isValue = false
      if (name === 'c') {
        const text = textOfCell().replace(/\s*[\r\n]+\s*/g, ' ')
        if (text.trim() !== '') {
          while (cells.length < column) cells.push('')
          cells.push(text)
        }
      } else if (name === 'row' && cells.length > 0) take(cells, row)
    },
    after,
  })
}

/** The position of a column by the letters of a cell, such as 27 for AB3. */
function columnOf(cell: string): number {
  const [letters = ''] = /^[A-Z]+/.exec(cell) ?? []
  return [...letters].reduce((place, letter) => place * LETTERS + letter.charCodeAt(0) - 64, 0) - 1
}
