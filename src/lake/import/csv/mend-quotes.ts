import { endOfQuotedRecord } from '../input/quotes.ts'

const TAB = '\t'
const NEWLINE = 10
const TAB_CODE = 9

/**
 * A line whose quotes are not those of CSV as a record whose quotes are, if its meaning is certain; otherwise null. In a
 * line with tabs, as of the SEC, quotes are characters of their fields. A field such as ="0042" is a text for Excel.
 */
export function mendQuotes(line: Buffer, delimiter: number): Buffer | null {
  const text = line.toString('utf8')
  const mark = String.fromCharCode(delimiter)
  if (mark === TAB) return Buffer.from(text.split(TAB).map(quoted).join(TAB))
  const formula = new RegExp(`(^|\\${mark})="((?:[^"]|"")*)"(?=\\${mark}|$)`, 'g')
  const mended = Buffer.from(text.replace(formula, '$1"$2"'))
  return mended.length < line.length && endOfQuotedRecord(mended, 0, delimiter, true) === mended.length
    ? mended
    : null
}

function quoted(field: string): string {
  const [, content = field] = /^="([^"]*)"$/.exec(field) ?? []
  return content.includes('"') ? `"${content.replaceAll('"', '""')}"` : content
}

/**
 * Whether a record of several lines with tabs is several records: its quotes are those of fields, such as an inch, and
 * enclose the end of one line and the start of the next.
 */
export function isOfSeveralLines(record: Buffer, delimiter: number, width: number): boolean {
  if (delimiter !== TAB_CODE || !record.includes(NEWLINE)) return false
  return record.filter(byte => byte === TAB_CODE).length >= width
}
