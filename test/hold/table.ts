const rows: (readonly string[])[] = []

/** Adds to the table that a proof prints at its end: what was done, how much was tried, and what happened. */
export function row(what: string, tried: string, survived: string): void {
  rows.push([what, tried, survived])
}

/** Prints the rows so far. */
export function table(): void {
  const all = [['What', 'Tried', 'Survived'], ...rows.splice(0)]
  const widths = [0, 1].map(column => Math.max(...all.map(cells => (cells[column] ?? '').length)))
  const lines = all.map(cells => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  process.stdout.write(`\n${lines.join('\n')}\n`)
}
