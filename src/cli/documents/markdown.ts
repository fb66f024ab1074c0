/** The little Markdown that the generated documents need. */

export const MADE = '<!-- Made by `npm run docs`; changes here are lost. -->'

/** A whole document: its parts with a blank line between them. */
export const page = (...parts: string[]) => `${parts.join('\n\n')}\n`

const row = (...cells: string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** A table; cells may hold Markdown, and a `|` in them is escaped. */
export const table = (head: string[], rows: string[][]) =>
  [row(...head), row(...head.map(() => '---')), ...rows.map(cells => row(...cells))].join('\n')
