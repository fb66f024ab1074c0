import type { Column, Dataset } from './schema.ts'

/** The columns of a partition's files: types by name, in the order of the files. */
export type StoredColumns = Readonly<Record<string, string>>

/** The columns of files that are written now. */
export const columnsNow = ({ columns }: Pick<Dataset, 'columns'>): StoredColumns =>
  Object.fromEntries(columns.map(({ name, type }) => [name, type]))

/** The dataset as its files have it: with their columns and types only. */
export const asStored = (dataset: Dataset, stored: StoredColumns): Dataset => ({
  ...dataset,
  columns: dataset.columns.flatMap(column => {
    const type = stored[column.name]
    return type === undefined ? [] : [{ ...column, type }]
  }),
})

/** Whether files with these columns lack one of the dataset's, or have one with another type. */
export const isOlder = ({ columns }: Dataset, stored: StoredColumns) =>
  columns.some(({ name, type }) => stored[name] !== type)

/** Whether files with these columns are as this version writes them: the usual case. */
export const isCurrent = (dataset: Dataset, stored: StoredColumns) =>
  !isOlder(dataset, stored) && Object.keys(stored).length === dataset.columns.length

/** Why files with these columns cannot be read as the dataset's; null if they can. */
export function misfitOf({ columns }: Dataset, stored: StoredColumns): string | null {
  const stray = Object.keys(stored).find(name => !columns.some(column => column.name === name))
  if (stray !== undefined) return `column ${stray}, which this version does not have`
  for (const column of columns) {
    const reason = columnMisfit(column, stored[column.name])
    if (reason !== null) return reason
  }
  return null
}

function columnMisfit({ name, type, nullable }: Column, stored: string | undefined): string | null {
  if (stored === undefined) return nullable ? null : `no column ${name}, which must not be NULL`
  return stored === type || isWidening(stored, type)
    ? null
    : `column ${name} of type ${stored}, which does not convert to ${type} without loss`
}

const INTEGERS = ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT']

/** Whether every value of a type converts to the other one without loss. */
function isWidening(from: string, to: string): boolean {
  const [narrow, wide] = [INTEGERS.indexOf(from), INTEGERS.indexOf(to)]
  if (narrow !== -1 && narrow < wide) return true
  if (from === 'FLOAT' && to === 'DOUBLE') return true
  const [least, most] = [decimalOf(from), decimalOf(to)]
  return least !== null && most !== null && least.scale <= most.scale && least.whole <= most.whole
}

/** Digits before and after the point of a DECIMAL type; null for any other type. */
function decimalOf(type: string): { whole: number; scale: number } | null {
  const [, width, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? []
  return width === undefined ? null : { whole: Number(width) - Number(scale), scale: Number(scale) }
}
