import { table as tableOf } from '../prove/report.ts'

const rows: (readonly string[])[] = []

/** Adds to the table that a proof prints at its end: what was done, how much was tried, and what happened. */
export function row(what: string, tried: string, survived: string): void {
  rows.push([what, tried, survived])
}

/** Prints the rows so far. */
export function table(): void {
  process.stdout.write(`\n${tableOf([['what', 'tried', 'survived'], ...rows.splice(0)])}\n`)
}
