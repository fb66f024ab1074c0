import type { Looked } from '../json/documents.ts'
import { isSplit } from '../json/layout-json.ts'
import { layoutRows } from '../json/layout-rows.ts'
import { type Layout, listed } from '../layout/layout.ts'
import { stepsOf } from '../layout/path.ts'
import { jsonCopier } from './json.ts'
import type { Marks, Take } from './marks.ts'

/** Stands for the rows in the text of a document. */
const ROWS = '\u0000rows'

/**
 * Copies the rejected rows of a JSON file of a layout: a document with the same members around them, or lines. Rows that
 * are objects have two more members, the first ones: line and reason. Copies at most about `most` bytes of rows. Returns null
 * for rows that have no place of their own: arrays that are columns, those below `*`, and those at several paths.
 */
export function layoutCopier(layout: Layout, looked: Looked, marks: Marks, most: number, take: Take) {
  const { shape = 'objects', rows: paths } = layout.file
  const [path = '$', ...others] = listed(paths)
  const steps = stepsOf(path)
  if (!isSplit(layout, looked) || others.length > 0 || steps === null) return null
  const rows: string[] = []
  let bytes = 0
  const copyRow = jsonCopier(marks, part => void rows.push(part.toString().trimEnd()))
  const scanner = layoutRows(layout, looked, (row, number, text) => {
    if (!marks.has(number) || bytes > most) return
    bytes += text.length
    if (shape === 'arrays') rows.push(text)
    else copyRow({ text, number, fault: undefined, isLine: looked.isLines })
    const key = typeof row === 'string' ? null : row.get('key')
    if (shape === 'keyed') rows.push(`${JSON.stringify(key ?? '')}: ${rows.pop()}`)
  })
  return {
    push: (chunk: Buffer) => scanner.push(chunk),
    end() {
      scanner.end()
      if (looked.isLines) return take(rows.map(row => `${row}\n`).join(''))
      const list = rows.join(',\n')
      const around = JSON.stringify(replacedAt(looked.document, steps), null, 1)
      take(
        `${around.replace(JSON.stringify(ROWS), () => (shape === 'keyed' ? `{\n${list}\n}` : `[\n${list}\n]`))}\n`,
      )
    },
  }
}

/** The document with ROWS in the place of its rows. */
function replacedAt(document: unknown, [step, ...rest]: readonly (string | number)[]): unknown {
  if (step === undefined) return ROWS
  if (Array.isArray(document))
    return document.map((each, place) => (place === step ? replacedAt(each, rest) : each))
  if (typeof document !== 'object' || document === null) return document
  return Object.fromEntries(
    Object.entries(document).map(([name, each]) => [name, name === step ? replacedAt(each, rest) : each]),
  )
}
