/** The lines `-- label: value` at the head of a SQL file. */
export interface SqlHeader {
  /** The values of all lines with a label, in file order. */
  values(label: string): string[]
  /** The value of the only line with a label. Throws an Error that names the file if there is not exactly one. */
  only(label: string): string
  wrong(problem: string): Error
}

export function sqlHeader(file: string, sql: string): SqlHeader {
  const wrong = (problem: string) => new Error(`${file}: ${problem}`)
  const values = (label: string) =>
    [...sql.matchAll(new RegExp(`^-- ${label}: (.+)$`, 'gm'))].map(([, value = '']) => value.trim())
  return {
    wrong,
    values,
    only(label) {
      const [value, ...others] = values(label)
      if (value === undefined || others.length > 0) throw wrong(`expected one line "-- ${label}: …"`)
      return value
    },
  }
}
