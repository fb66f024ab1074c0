import stringWidth from 'string-width'

const graphemes = new Intl.Segmenter()

/** The number of columns that a text takes on a terminal: two for a wide character, none for a combining one. */
export const widthOf = (text: string): number =>
  ASCII.test(text) ? text.length : stringWidth(text, { countAnsiEscapeCodes: true })

const ASCII = /^[ -~]*$/

/** A text followed by blanks to a width, or after them if it is aligned to the right. */
export function padded(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)))
  return align === 'right' ? `${blanks}${text}` : `${text}${blanks}`
}

/** Code units per column, so that a character with thousands of combining marks is cut too. */
const UNITS_PER_COLUMN_MAX = 4

/** The longest start of a text that fits, with an ellipsis if it is not all of it. No character is divided. */
export function cutToWidth(text: string, widthMax: number): string {
  const unitsMax = widthMax * UNITS_PER_COLUMN_MAX
  if (text.length <= unitsMax && widthOf(text) <= widthMax) return text
  let start = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment)
    if (width >= widthMax || start.length + segment.length > unitsMax) break
    start += segment
  }
  return `${start}…`
}
