/** Columns or members that a file of rejected rows has besides those of its source. Imports ignore them. */
export const REJECT_LINE = 'reject_line'
export const REJECT_REASON = 'reject_reason'

/** Whether a column is one that only files of rejected rows have. */
export const isRejectColumn = (name: string) =>
  [REJECT_LINE, REJECT_REASON].includes(name.trim().toLowerCase())
