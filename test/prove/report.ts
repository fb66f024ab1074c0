import { appendFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { excuseOf } from '../house/skips.ts'
import { PROOFS, type Proof } from './proofs.ts'

/** What the test files of a proof did. */
export interface Tried {
  readonly cases: number
  readonly failed: boolean
  /** Why tests were skipped, of those that may be. */
  readonly skipped: readonly string[]
  readonly seconds: number
}

/** The verdict on a proof. A proof that lacks a tool here holds as far as it went. */
export function verdictOf(
  { cases, failed, skipped }: Tried,
  casesMin: number,
): { readonly holds: boolean; readonly text: string } {
  if (failed) return { holds: false, text: 'FAILED' }
  if (skipped.length > 0) return { holds: true, text: `holds in part: ${[...new Set(skipped)].join('; ')}` }
  if (cases < casesMin) return { holds: false, text: 'TOO FEW CASES' }
  return { holds: true, text: 'holds' }
}

/** Rows with their cells aligned: the first and the last column to the left, the numbers between to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.length ?? 0
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map(row => (row[column] ?? '').length)),
  )
  const aligned = (cell: string, column: number) => {
    if (column === columns - 1) return cell
    return column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  }
  return rows.map(row => row.map(aligned).join('  ')).join('\n')
}

function triedBy({ files, tag }: Proof, modules: readonly TestModule[]): Tried {
  const own = modules.filter(({ relativeModuleId }) => files.some(path => relativeModuleId.startsWith(path)))
  const tests = own
    .flatMap(module => [...module.children.allTests()])
    .filter(({ tags }) => tag === undefined || tags.includes(tag))
  const inState = (state: string) => tests.filter(test => test.result().state === state)
  const ms = own.reduce((sum, module) => sum + module.diagnostic().duration, 0)
  return {
    cases: inState('passed').reduce((sum, test) => sum + (test.meta().cases ?? 1), 0),
    failed: own.some(module => module.state() === 'failed'),
    skipped: inState('skipped').flatMap(({ fullName }) => excuseOf(fullName) ?? []),
    seconds: Math.round(ms / 1000),
  }
}

/** The most lines of an error that are repeated: the whole error stands where its test ended. */
const ERROR_LINES_MAX = 30

/** What failed, each with the beginning of its errors: files as a whole, suites, tests, and errors of none of them. */
export function failuresOf(
  modules: readonly TestModule[],
  unhandled: readonly { readonly message: string }[],
): string[] {
  const ofModules = modules.flatMap(module => [
    { name: module.relativeModuleId, errors: module.errors() },
    ...[...module.children.allSuites()].map(suite => ({
      name: `${module.relativeModuleId} > ${suite.fullName}`,
      errors: suite.errors(),
    })),
    ...[...module.children.allTests('failed')].map(test => ({
      name: `${module.relativeModuleId} > ${test.fullName}`,
      errors: test.result().errors ?? [],
    })),
  ])
  return [...ofModules, { name: 'outside the tests', errors: unhandled }]
    .filter(({ errors }) => errors.length > 0)
    .map(({ name, errors }) =>
      [name, ...errors.map(({ message }) => stripVTControlCharacters(message))]
        .flatMap(text => text.split('\n').slice(0, ERROR_LINES_MAX))
        .join('\n'),
    )
}

/** A reporter that prints a table of what each proof tried, and fails the run if one does not hold. */
export default class ProofReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: Parameters<typeof failuresOf>[1]): void {
    const chosen = process.env.TAPEHOUSE_PROOFS?.split(',')
    const filtered = this.#vitest?.getGlobalTestNamePattern() !== undefined
    const form = process.env.TAPEHOUSE_PROVE_LONG === undefined ? 'prove' : 'long'
    const outcomes = PROOFS.filter(({ name }) => chosen?.includes(name) ?? true).map(proof => {
      const tried = triedBy(proof, modules)
      const casesMin = filtered ? 0 : proof.cases[form]
      return { proof, tried, casesMin, verdict: verdictOf(tried, casesMin) }
    })
    const rows = outcomes.map(({ proof, tried, casesMin, verdict }) => [
      proof.name,
      String(tried.cases),
      String(casesMin),
      String(tried.seconds),
      `${verdict.text} (${proof.what})`,
    ])
    process.stdout.write(`\n${table([['proof', 'cases', 'at least', 'seconds', 'result'], ...rows])}\n`)
    const failures = process.env.TAPEHOUSE_PROOF_FAILURES
    const refuted = outcomes.filter(({ verdict }) => !verdict.holds)
    if (failures !== undefined)
      for (const failure of [
        ...refuted.map(({ proof, verdict }) => `proof ${proof.name}: ${verdict.text}`),
        ...failuresOf(modules, unhandled),
      ])
        appendFileSync(failures, `${failure}\n\n`)
    if (refuted.length > 0) process.exitCode = 1
  }
}
