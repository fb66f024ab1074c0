import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import config from '../../vitest.config.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { runOtherTests } from '../house/other-tests.ts'
import { filesBelow, root } from '../house/source.ts'
import { PROOFS } from './proofs.ts'
import { type Tried, table, verdictOf } from './report.ts'

const files = filesBelow('test', '.ts').filter(path => /\.(test|proof)\.ts$/.test(path))
const prove = (...args: string[]) =>
  spawnSync(process.execPath, ['bin/prove.js', ...args], { cwd: root, encoding: 'utf8' })

describe('the table of proofs', () => {
  test('names each proof once, with test files and cases that it requires', () => {
    expect(new Set(PROOFS.map(({ name }) => name)).size).toBe(PROOFS.length)
    for (const { name, files: paths, cases } of PROOFS) {
      const unused = paths.filter(path => !files.some(file => file.startsWith(path)))
      expect(unused, `beginnings of no test file in the proof ${name}`).toEqual([])
      expect(cases.prove, name).toBeGreaterThan(0)
      expect(cases.long, name).toBeGreaterThanOrEqual(cases.prove)
    }
  })

  test('has every file and every tag that only a proof runs', () => {
    const paths = PROOFS.filter(({ tag }) => tag === undefined).flatMap(proof => proof.files)
    const proofs = files.filter(file => file.endsWith('.proof.ts'))
    expect(proofs.length).toBeGreaterThan(10)
    expect(proofs.filter(file => !paths.some(path => file.startsWith(path)))).toEqual([])
    expect(config.test?.tags?.map(({ name }) => name)).toEqual(PROOFS.flatMap(({ tag }) => tag ?? []))
  })
})

describe('npm run prove', () => {
  test('prints every proof with --help', () => {
    const { status, stdout } = prove('--help')
    expect(status).toBe(0)
    for (const { name, what } of PROOFS) expect(stdout).toMatch(new RegExp(`^  ${name} +${what}$`, 'm'))
  })

  test.each([
    [['nothing'], /^prove: there is no proof "nothing": the proofs are crash, .*--help\)\n$/],
    [['--short'], /^prove: Unknown option '--short' .*--help\)\n$/],
  ])('rejects %j as a usage error', (args, message) => {
    const { status, stderr } = prove(...args)
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})

describe('a proof', () => {
  const tried: Tried = { cases: 10, failed: false, skipped: [], seconds: 1 }

  test('holds if it tried enough cases and none failed', () => {
    expect(verdictOf(tried, 10)).toEqual({ holds: true, text: 'holds' })
    expect(verdictOf(tried, 11)).toEqual({ holds: false, text: 'TOO FEW CASES' })
    expect(verdictOf({ ...tried, failed: true }, 10)).toEqual({ holds: false, text: 'FAILED' })
  })

  test('without a tool holds in part, but not if another of its tests fails', () => {
    const skipped = ['there is no Go', 'there is no Go', 'there is no browser']
    expect(verdictOf({ ...tried, skipped }, 20)).toEqual({
      holds: true,
      text: 'holds in part: there is no Go; there is no browser',
    })
    expect(verdictOf({ ...tried, skipped, failed: true }, 20).holds).toBe(false)
  })

  test('is a line of a table', () => {
    expect(
      table([
        ['proof', 'cases', 'result'],
        ['crash', '7', 'holds'],
      ]),
    ).toBe('proof  cases  result\ncrash      7  holds')
  })
})

test('what failed is kept for the end of the output: tests, hooks, and files that cannot be loaded', () => {
  const failures = join(folderForTest(), 'failures.txt')
  runOtherTests({
    reporter: 'test/prove/report.ts',
    env: { TAPEHOUSE_PROOFS: 'parsers', TAPEHOUSE_PROOF_FAILURES: failures },
    files: {
      'some.test.ts': `import { beforeAll, describe, expect, test } from 'vitest'
        test('passes', () => {})
        test('fails', () => { expect({ a: 1 }).toEqual({ a: 2 }) })
        describe('suite', () => {
          beforeAll(() => { throw new Error('no hook') })
          test('never runs', () => {})
        })`,
      'broken.test.ts': "throw new Error('no file')",
    },
  })
  const kept = readFileSync(failures, 'utf8').trim().split('\n\n')
  expect(kept.sort()).toEqual([
    'broken.test.ts\nno file',
    'proof parsers: TOO FEW CASES',
    'some.test.ts > fails\nexpected { a: 1 } to deeply equal { a: 2 }',
    'some.test.ts > suite\nno hook',
  ])
})
