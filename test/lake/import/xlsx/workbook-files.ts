import { zipOf } from '../input/zip-files.ts'

/** A workbook for tests: its sheets with their rows as XML of SpreadsheetML (ECMA-376), and other parts. */
export interface WorkbookParts {
  readonly sheets: readonly { readonly name: string; readonly rows: string; readonly isHidden?: boolean }[]
  readonly texts?: readonly string[]
  /** Patterns of number formats. Style 0 is General, style n the n-th pattern, then the built-in formats 14 and 10. */
  readonly formats?: readonly string[]
  readonly is1904?: boolean
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export function workbookOf({ sheets, texts = [], formats = [], is1904 = false }: WorkbookParts): Buffer {
  const styles = [0, ...formats.map((_, place) => 164 + place), 14, 10]
  const part = (name: string, content: string) => ({ name, content: `${HEAD}${content}` })
  return zipOf([
    part('[Content_Types].xml', '<Types/>'),
    part(
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${sheets
        .map(
          ({ name, isHidden }, place) =>
            `<sheet name="${name}" sheetId="${place + 1}"${isHidden ? ' state="hidden"' : ''} r:id="rId${place + 7}"/>`,
        )
        .join('')}</sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      `<Relationships>${sheets
        .map((_, place) => `<Relationship Id="rId${place + 7}" Target="worksheets/sheet${place + 1}.xml"/>`)
        .join('')}</Relationships>`,
    ),
    part(
      'xl/styles.xml',
      `<styleSheet><numFmts>${formats
        .map((pattern, place) => `<numFmt numFmtId="${164 + place}" formatCode="${pattern}"/>`)
        .join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${styles
        .map(id => `<xf numFmtId="${id}"/>`)
        .join('')}</cellXfs></styleSheet>`,
    ),
    part('xl/sharedStrings.xml', `<sst>${texts.map(text => `<si>${text}</si>`).join('')}</sst>`),
    ...sheets.map(({ rows }, place) =>
      part(
        `xl/worksheets/sheet${place + 1}.xml`,
        `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
      ),
    ),
  ])
}
