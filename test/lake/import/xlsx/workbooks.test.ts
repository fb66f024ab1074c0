import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { detect } from '../../../../src/lake/import/detect/detect.ts'
import { textOfNumber } from '../../../../src/lake/import/xlsx/cells.ts'
import { writeSheet } from '../../../../src/lake/import/xlsx/sheet.ts'
import { openWorkbook } from '../../../../src/lake/import/xlsx/workbook.ts'
import { folderForTest } from '../../../fixtures/lake.ts'
import { importing } from '../importing.ts'
import { zipOf } from '../input/zip-files.ts'
import { type WorkbookParts, workbookOf } from './workbook-files.ts'

/** The first sheet of a workbook as CSV. */
async function csvOf(bytes: Buffer): Promise<string> {
  const folder = folderForTest()
  const path = join(folder, 'a.xlsx')
  writeFileSync(path, bytes)
  const workbook = await openWorkbook({ path, bytes: bytes.length })
  const [sheet] = workbook.sheets
  if (sheet === undefined) throw new Error('no sheet')
  await writeSheet(workbook, sheet, join(folder, 'a.csv'))
  return readFileSync(join(folder, 'a.csv'), 'utf8')
}

const sheetOf = (rows: string, more: Partial<WorkbookParts> = {}) =>
  workbookOf({ sheets: [{ name: 'One', rows }], ...more })

describe('a sheet becomes CSV', () => {
  test('with each row on the line of its number, as wide as the widest', async () => {
    const rows = [
      '<row r="2"><c r="B2" t="s"><v>1</v></c></row>',
      '<row r="3"/><row r="4"><c r="A4"/><c r="B4" t="str"><v> </v></c></row>',
      '<row r="6"><c r="A6" t="s"><v>0</v></c><c r="C6"><v>1.5</v></c><c r="D6" s="1"/></row>',
      '<row><c><v>7</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>',
      '<row r="8"><c r="A8" t="inlineStr"><is><t>in</t></is></c><c r="C8" t="d"><v>2024-01-31</v></c></row>',
    ].join('')
    const texts = ['<t>a, "b"</t>', '<r><t>rich </t></r><r><t>text\nx_x000D_</t></r><rPh><t>no</t></rPh>']
    expect(await csvOf(sheetOf(rows, { texts }))).toBe(
      ['', ',rich text x ,', '', '', '', '"a, ""b""",,1.5', '7,TRUE,#N/A', 'in,,2024-01-31', ''].join('\n'),
    )
  })

  test('with numbers by their formats', async () => {
    const cells = ['1', '2', '3', '4', '5', '6', '7'].map(
      (style, place) => `<c r="${'ABCDEFG'[place]}1" s="${style}"><v>45322.5</v></c>`,
    )
    const formats = ['yyyy\\-mm\\-dd', '0.00%', '&quot;day&quot; 0', '[h]:mm', '[$-409]mmm d, yyyy']
    expect(await csvOf(sheetOf(`<row r="1">${cells.join('')}</row>`, { formats }))).toBe(
      '2024-01-31 12:00:00,4532250%,45322.5,45322.5,2024-01-31 12:00:00,2024-01-31 12:00:00,4532250%\n',
    )
  })

  // Day numbers by Microsoft's documentation of DATEVALUE and of the 1904 date system.
  test.each([
    ['0.1', 'number', '0.1'],
    ['187.15000000000001', 'number', '187.15'],
    ['1.0000000000000001E-5', 'number', '0.00001'],
    ['1E+21', 'number', '1000000000000000000000'],
    ['-1.25E-7', 'number', '-0.000000125'],
    ['123456789012', 'number', '123456789012'],
    ['-0', 'number', '0'],
    ['7.2499999999999995E-2', 'percent', '7.25%'],
    ['-1', 'percent', '-100%'],
    ['39448', 'date', '2008-01-01'],
    ['1', 'date', '1900-01-01'],
    ['61', 'date', '1900-03-01'],
    ['0.75', 'date', '18:00:00'],
    ['45293.39583333333', 'date', '2024-01-02 09:30:00'],
    ['45293.395833449074', 'date', '2024-01-02 09:30:00.010'],
    ['-5', 'date', '-5'],
    ['', 'number', ''],
    ['x', 'number', 'x'],
  ] as const)('%s as %s is %s', (written, kind, text) => {
    expect(textOfNumber(written, kind, false)).toBe(text)
  })
  test('with days since 1904', () => {
    expect(textOfNumber('37986', 'date', true)).toBe('2008-01-01')
  })

  const row = (r: string, cell: string) => `<row r="${r}"><c r="${cell}"><v>1</v></c></row>`
  test.each([
    ['is cut off', sheetOf(row('1', 'A1')).subarray(0, -40), 'End of central directory'],
    ['is not XML', sheetOf('<row r="1">'), 'its part xl/worksheets/sheet1.xml is not XML'],
    [
      'declares entities',
      zipOf([{ name: 'xl/workbook.xml', content: '<!DOCTYPE a [<!ENTITY b "c">]><a/>' }]),
      'a DOCTYPE is not allowed',
    ],
    ['has too many rows', sheetOf(row('1048577', 'A1048577')), 'its row 1048577 is not after row 0'],
    ['has too many columns', sheetOf(row('1', 'ZZZ1')), 'its cell ZZZ1 is not in order'],
    ['has rows in another order', sheetOf(row('2', 'A2') + row('1', 'A1')), 'its row 1 is not after row 2'],
    [
      'unpacks to too much',
      sheetOf(`<row r="1"><c r="A1" t="str"><v>${' '.repeat(70 << 20)}</v></c></row>`),
      'its part xl/worksheets/sheet1.xml is too large: save the sheet as .csv',
    ],
  ])('unless it %s', async (_, bytes, reason) => {
    await expect(csvOf(bytes)).rejects.toThrow(reason)
  })
})

const cellsOf = (number: number, texts: readonly string[]) =>
  `<row r="${number}">${texts.map((text, place) => `<c r="${'ABCDEFGH'[place]}${number}" t="str"><v>${text}</v></c>`).join('')}</row>`
const HEADER = cellsOf(3, ['Date', 'Open', 'High', 'Low', 'Close', 'Volume', 'Name'])
const day = (number: number, ticker: string, close = '1.5') =>
  `<row r="${number}"><c r="A${number}" s="1"><v>45293</v></c><c r="B${number}"><v>1</v></c><c r="C${number}"><v>2</v></c><c r="D${number}"><v>1</v></c><c r="E${number}"><v>${close}</v></c><c r="F${number}"><v>10</v></c><c r="G${number}" t="str"><v>${ticker}</v></c></row>`

describe('a workbook', () => {
  const sheets = [
    { name: 'Cover', rows: cellsOf(1, ['Prices of 2024']) },
    { name: 'Empty', rows: '' },
    { name: 'Old', rows: HEADER + day(4, 'OLD'), isHidden: true },
    { name: 'Data', rows: cellsOf(1, ['Prices']) + HEADER + day(4, 'A') + day(6, 'B', 'x') + day(7, 'C') },
    { name: 'More', rows: HEADER + day(4, 'M') },
  ]

  test('is read from the first visible sheet with a header, with the numbers of its rows', async () => {
    const run = importing()
    const path = run.file('a.xlsx', workbookOf({ sheets, formats: ['m/d/yyyy'] }))
    const report = await run.import([path])
    expect(report).toMatchObject({ files: 1, rows: 2, rejected: 1 })
    expect(readFileSync(String(report.rejectsFile), 'utf8')).toContain(`${path},6,close,`)
    expect(await run.rows('SELECT ticker, date FROM bars ORDER BY ticker')).toEqual([
      'A 2024-01-02',
      'C 2024-01-02',
    ])
    const copy = join(String(report.rejectsFolder), 'a.csv')
    const copied = readFileSync(copy, 'utf8')
    expect(copied).toMatch(/^reject_line,reject_reason,/m)
    writeFileSync(copy, copied.replace(',x,', ',1.5,'))
    expect(await run.import([copy])).toMatchObject({ rows: 1, rejected: 0 })
    expect(await run.import([path], { sheet: 'more' })).toMatchObject({ skipped: 0, rows: 1 })
    expect(await run.import([path], { sheet: 'old' })).toMatchObject({ rows: 1 })
    expect(await run.refusal([path], { sheet: 'Nothing' })).toContain(
      'a.xlsx has no sheet "Nothing": use one of Cover, Empty, Data, More, Old',
    )
  })

  test('without a fitting sheet, or damaged, is refused', async () => {
    const run = importing()
    const other = run.file('b.xlsx', workbookOf({ sheets: sheets.slice(0, 2) }))
    expect(await run.refusal([other])).toMatch(
      /b\.xlsx lacks the columns .*; no other sheet fits either: it has Cover, Empty$/,
    )
    const damaged = run.file('c.xlsx', zipOf([{ name: 'xl/workbook.xml', content: '<a>' }]))
    expect(await run.refusal([damaged])).toContain(
      'c.xlsx is not a whole workbook: its part xl/workbook.xml is not XML',
    )
  })
})

test('workbooks and members of archives are recognised by their content', async () => {
  const run = importing()
  const rows = HEADER + day(4, 'A')
  const book = workbookOf({
    sheets: [
      { name: 'Cover', rows: cellsOf(1, ['x']) },
      { name: 'Data', rows },
    ],
  })
  const paths = [run.file('a.xlsx', book), run.file('b.zip', zipOf([{ name: 'in/c.xlsx', content: book }]))]
  const found = await detect(paths)
  expect(found).toMatchObject([
    { path: paths[0], origin: paths[0] },
    { path: `${paths[1]}/in/c.xlsx`, origin: paths[1] },
  ])
  for (const { candidates } of found) expect(candidates.map(({ format }) => format)).toContain('daily-bars')
})
