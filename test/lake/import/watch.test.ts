import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Failure } from '../../../src/engine/failure.ts'
import { readinessOf } from '../../../src/lake/import/watch/ready.ts'
import { type FileOutcome, watchImports } from '../../../src/lake/import/watch/watch.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { conditions } from '../../fixtures/until.ts'

const SETTLE_MS = 60_000

/** Writes a file whose last change was that many milliseconds ago. */
function write(path: string, content: string, agoMs: number) {
  writeFileSync(path, content)
  const time = (Date.now() - agoMs) / 1000
  utimesSync(path, time, time)
}

test('a file is complete when it has not changed for a while, and a partial or hidden one never is', async () => {
  const folder = folderForTest()
  mkdirSync(join(folder, 'below'))
  mkdirSync(join(folder, 'lake'))
  const at = (name: string) => join(folder, name)
  for (const name of [
    'old.csv',
    'below/old.csv',
    'a.csv.part',
    'a.csv.crdownload',
    'a.tmp',
    'a.csv~',
    '.a.csv',
  ])
    write(at(name), 'x', 2 * SETTLE_MS)
  write(at('lake/own.csv'), 'x', 2 * SETTLE_MS)
  write(at('empty.csv'), '', 2 * SETTLE_MS)
  write(at('new.csv'), 'x', SETTLE_MS / 2)
  write(at('future.csv'), 'x', -SETTLE_MS)
  const readiness = readinessOf(folder, SETTLE_MS, path => path === at('lake'))
  const names = async () => (await readiness.look()).ready.map(({ path }) => path.slice(folder.length + 1))
  expect(await names()).toEqual(['below/old.csv', 'old.csv'])
  const { againMs } = await readiness.look()
  expect(againMs).toBeGreaterThan(0)
  expect(againMs).toBeLessThanOrEqual(SETTLE_MS / 2)

  // A program writes to a file again, and another has finished its partial one.
  write(at('old.csv'), 'xy', 0)
  renameSync(at('a.csv.part'), at('a.csv'))
  expect(await names()).toEqual(['a.csv', 'below/old.csv'])
  rmSync(at('a.csv'))
  expect(await names()).toEqual(['below/old.csv'])
})

/** A watch whose imports are recorded, and succeed unless `fails` throws. */
function watching(isTogether = false, fails: (paths: readonly string[]) => void = () => {}) {
  const folder = folderForTest()
  const ending = new AbortController()
  const { check, until } = conditions()
  const imports: string[][] = []
  const lines: string[] = []
  const short = (path: string) => path.slice(folder.length + 1)
  const ended = watchImports({
    folder,
    lake: join(folder, 'lake'),
    signal: ending.signal,
    isTogether,
    settleMs: 1,
    async importFiles(paths) {
      imports.push(paths.map(short))
      fails(paths)
      const outcome: FileOutcome = { kind: 'imported', rows: 1, rejected: 0, snapshot: 1 }
      return new Map(
        paths.map(path => [path, path.includes('bad') ? { kind: 'refused', reason: 'bad' } : outcome]),
      )
    },
    report(path, { kind }) {
      lines.push(`${kind} ${short(path)}`)
      check()
    },
  })
  onTestFinished(async () => {
    ending.abort()
    await ended.catch(() => {})
  })
  /** Renames a complete file into the folder. */
  const put = (name: string, content = 'x') => {
    write(join(folder, `.${name}`), content, 10_000)
    renameSync(join(folder, `.${name}`), join(folder, name))
  }
  return { imports, lines, put, until, end: () => ending.abort(), ended }
}

test('each file is imported once, also a bad one, until it changes', async () => {
  const { imports, lines, put, until, end, ended } = watching()
  put('a.csv')
  await until(() => lines.length === 1)
  put('bad.csv')
  await until(() => lines.length === 2)
  put('c.csv')
  await until(() => lines.length === 3)
  put('bad.csv', 'mended')
  await until(() => lines.length === 4)
  expect(lines).toEqual(['imported a.csv', 'refused bad.csv', 'imported c.csv', 'refused bad.csv'])
  expect(imports).toEqual([['a.csv'], ['bad.csv'], ['c.csv'], ['bad.csv']])
  end()
  await ended
})

test('files that are read together are imported with all others', async () => {
  const { imports, lines, put, until } = watching(true)
  put('a.csv')
  await until(() => lines.length === 1)
  put('b.csv')
  await until(() => lines.length === 2)
  expect(imports).toEqual([['a.csv'], ['a.csv', 'b.csv']])
})

test('a failure that is not of a file ends the watch', async () => {
  const { put, ended } = watching(false, () => {
    throw new Failure('lake_write', 'the disk is full')
  })
  put('a.csv')
  await expect(ended).rejects.toThrow('the disk is full')
})
