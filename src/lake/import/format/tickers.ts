import type { Column } from '../../store/schema.ts'

/** Columns with the ticker of a share, in every dataset that is imported. */
const COLUMNS: ReadonlySet<string> = new Set(['ticker', 'etf', 'underlying_symbol'])

export const isTicker = ({ name, type }: Pick<Column, 'name' | 'type'>): boolean =>
  type === 'VARCHAR' && COLUMNS.has(name)

/** SQL of a ticker in the form of the lake: BRK.B of BRK-B. Its case is that of the file. */
export const tickerValue = (x: string): string => `share_form(${x})`
