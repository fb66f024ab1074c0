import { REJECT_LINE, REJECT_REASON } from '../format/reject-columns.ts'
import { scanRecords } from '../input/records.ts'
import { type Delimiter, delimiterOf, fieldsOf } from '../rows/header.ts'
import type { Marks, Take } from './marks.ts'

/**
 * Copies the lines above the header, the header and the rejected records of a CSV text. With a header, the copy has two
 * more columns, the first ones: line and reason. `above` is the number of lines above the header that are not blank.
 */
export function csvCopier(marks: Marks, above: number, hasHeader: boolean, take: Take) {
  const before: string[] = []
  let delimiter: Delimiter = ','
  const record = (bytes: Buffer, start: number, end: number, line: number) => {
    const reason = marks.get(line)
    if (reason === undefined) return
    if (hasHeader) take(`${line}${delimiter}${quoted(reason, delimiter)}${delimiter}`)
    take(Buffer.from(bytes.subarray(start, end)))
    take('\n')
  }
  return scanRecords({
    header(bytes) {
      const line = bytes.toString('utf8')
      if (before.length < above) {
        before.push(line)
        return null
      }
      delimiter = delimiterOf(line)
      const width = fieldsOf(line, delimiter).length
      // Other rows of the header have as many fields.
      const isOfHeader = (each: string) => hasHeader && fieldsOf(each, delimiter).length === width
      for (const each of before) take(`${isOfHeader(each) ? delimiter.repeat(2) : ''}${each}\n`)
      if (hasHeader) take(`${REJECT_LINE}${delimiter}${REJECT_REASON}${delimiter}${line}\n`)
      return { delimiter: delimiter.charCodeAt(0), isRecord: !hasHeader }
    },
    record,
    broken: record,
  })
}

/** A field of text. Files with bars have no quoting. */
function quoted(text: string, delimiter: string): string {
  if (delimiter === '|') return text.replaceAll('|', '/')
  return text.includes(delimiter) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text
}
