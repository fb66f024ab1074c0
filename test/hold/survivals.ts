import { afterAll } from 'vitest'
import { countCases } from '../fixtures/tier.ts'
import { table } from '../prove/report.ts'

/** Collects what was tried and what was survived, and prints it as a table at the end of the file. */
export function survivals(): (what: string, tried: number, survived: number, note?: string) => void {
  const rows: string[][] = []
  afterAll(() => {
    process.stdout.write(`\n${table([['what', 'tried', 'survived', 'note'], ...rows])}\n`)
  })
  return (what, tried, survived, note = '') => {
    rows.push([what, String(tried), String(survived), note])
    countCases(tried)
  }
}
