import { kindOfFormat, type NumberKind } from './cells.ts'
import { type PartHandler, readPart } from './part.ts'

/** The texts of cells of a workbook together. More would not be a table. */
const TEXTS_CHARACTERS_MAX = 512 << 20

export interface Sheet {
  readonly name: string
  /** The name of its part. */
  readonly part: string
}

/** A workbook of Excel (ECMA-376), without its sheets' cells. */
export interface Workbook {
  readonly path: string
  readonly bytes: number
  /** Visible sheets first, each in order. */
  readonly sheets: readonly Sheet[]
  /** Whether days are counted from 1904, as in old workbooks of Macintosh. */
  readonly is1904: boolean
  /** Texts that cells refer to by position. */
  readonly texts: readonly string[]
  /** The kind of numbers by style, to which cells refer by position. */
  readonly kinds: readonly NumberKind[]
}

/** Opens a workbook. Throws an Error with a reason if it is damaged or too large. */
export async function openWorkbook(file: {
  readonly path: string
  readonly bytes: number
}): Promise<Workbook> {
  const listed: { name: string; id: string; isHidden: boolean }[] = []
  let is1904 = false
  await readPart(file, 'xl/workbook.xml', {
    open(name, { name: title = '', id = '', state, date1904 }) {
      if (name === 'sheet') listed.push({ name: title, id, isHidden: (state ?? 'visible') !== 'visible' })
      if (name === 'workbookPr') is1904 = date1904 === '1' || date1904 === 'true'
    },
  })
  const parts = new Map<string, string>()
  await readPart(file, 'xl/_rels/workbook.xml.rels', {
    open(name, { Id = '', Target = '' }) {
      if (name === 'Relationship')
        parts.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target.replace(/^\.\//, '')}`)
    },
  })
  const sheets = [...listed.filter(({ isHidden }) => !isHidden), ...listed.filter(({ isHidden }) => isHidden)]
  return {
    ...file,
    is1904,
    sheets: sheets.flatMap(({ name, id }) => {
      const part = parts.get(id)
      return part === undefined ? [] : [{ name, part }]
    }),
    texts: await textsOf(file),
    kinds: await kindsOf(file),
  }
}

/** `_x000D_` is a carriage return. */
export const unescaped = (text: string) =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Gathers the text of an element and its parts, without the reading aids of Japanese. */
export function textGatherer(): PartHandler & { take(): string } {
  let text = ''
  let isText = false
  let aids = 0
  return {
    open(name) {
      if (name === 'rPh') aids += 1
      isText = name === 't' && aids === 0
    },
    text(piece) {
      if (isText) text += piece
    },
    close(name) {
      if (name === 'rPh') aids -= 1
      isText = false
    },
    take() {
      const taken = unescaped(text)
      text = ''
      return taken
    },
  }
}

async function textsOf(file: { readonly path: string; readonly bytes: number }): Promise<string[]> {
  const texts: string[] = []
  const gatherer = textGatherer()
  let characters = 0
  await readPart(file, 'xl/sharedStrings.xml', {
    open: gatherer.open,
    text(piece) {
      characters += piece.length
      if (characters > TEXTS_CHARACTERS_MAX)
        throw new Error('its texts are too large: save the sheet as .csv')
      gatherer.text?.(piece)
    },
    close(name) {
      gatherer.close?.(name)
      if (name === 'si') texts.push(gatherer.take())
    },
  })
  return texts
}

async function kindsOf(file: { readonly path: string; readonly bytes: number }): Promise<NumberKind[]> {
  const patterns = new Map<number, string>()
  const kinds: NumberKind[] = []
  let isInCells = false
  await readPart(file, 'xl/styles.xml', {
    open(name, { numFmtId = '0', formatCode }) {
      if (name === 'numFmt' && formatCode !== undefined) patterns.set(Number(numFmtId), formatCode)
      if (name === 'cellXfs') isInCells = true
      if (name === 'xf' && isInCells)
        kinds.push(kindOfFormat(Number(numFmtId), patterns.get(Number(numFmtId))))
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false
    },
  })
  return kinds
}
