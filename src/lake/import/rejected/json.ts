import { REJECT_LINE, REJECT_REASON } from '../format/reject-columns.ts'
import type { JsonRow } from '../json/taker.ts'
import type { Marks, Take } from './marks.ts'

/** Copies the rejected rows of a JSON text as lines, with two more members, the first ones: line and reason. */
export const jsonCopier =
  (marks: Marks, take: Take) =>
  ({ text, number }: JsonRow): void => {
    const reason = marks.get(number)
    if (reason === undefined) return
    const row = text.replaceAll(/[\r\n]+/g, ' ').trim()
    const added = `"${REJECT_LINE}":${number},"${REJECT_REASON}":${JSON.stringify(reason)}`
    const rest = /^\{(\s*)(.?)/s.exec(row)
    // A line that is not an object is copied as it is.
    if (rest === null) take(`${row}\n`)
    else take(`{${added}${rest[2] === '}' ? '' : ','}${row.slice(1)}\n`)
  }
