import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../fixtures/lake.ts'
import { read, root } from './source.ts'

/** `npm run new` in a copy of the project: what it writes is valid, and the tests name what is missing. */

const copy = temporaryFolder()
afterAll(() => rmSync(copy, { recursive: true, force: true }))
beforeAll(() => {
  // Among them all that tsconfig.json includes.
  const parts = [
    'bench',
    'bin',
    'sql',
    'src',
    'test',
    'biome.jsonc',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
    'vitest.prove.config.ts',
  ]
  for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
})

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program of the copy with Node. */
async function run(program: string, ...args: string[]): Promise<Ended> {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, VITEST: undefined }
  const started = promisify(execFile)(process.execPath, [program, ...args], { cwd: copy, env })
  return started.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (ended: Ended) => ended,
  )
}

const make = (...args: string[]) => run('bin/new.js', ...args)
const vitest = (...args: string[]) =>
  run('node_modules/vitest/vitest.mjs', 'run', '--reporter=default', ...args)
const lines = (path: string) => readFileSync(join(copy, path), 'utf8').split('\n')
const edit = (path: string, change: (text: string) => string) =>
  writeFileSync(join(copy, path), change(readFileSync(join(copy, path), 'utf8')))

describe('npm run new operation invented-days', () => {
  let made: Ended
  beforeAll(async () => {
    made = await make('operation', 'invented-days')
  })

  test('writes three files and one line, and prints them with the next steps', () => {
    expect(made).toMatchObject({ code: 0, stderr: '' })
    for (const path of [
      'src/operations/catalog/invented-days.ts',
      'sql/endpoints/invented-days.sql',
      'test/golden/invented-days/record.json',
    ]) {
      expect(existsSync(join(copy, path)), path).toBe(true)
      expect(made.stdout).toContain(path)
    }
    const added = lines('src/operations/catalog.ts').filter(
      line => !read('src/operations/catalog.ts').includes(line),
    )
    expect(added).toEqual(["export { inventedDays } from './catalog/invented-days.ts'"])
    const index = lines('src/operations/catalog.ts').filter(line => line.startsWith('export'))
    expect(index).toEqual(index.toSorted())
    expect(made.stdout).toMatch(/1\. sql\/endpoints\/invented-days\.sql: write the title/)
  })

  test('leads to messages that name each file and what to write', async () => {
    const { code, stdout, stderr } = await vitest(
      'test/house/operations.test.ts',
      'test/house/unwritten.test.ts',
    )
    expect(code).not.toBe(0)
    const output = stdout + stderr
    for (const message of [
      'sql/endpoints/invented-days.sql:3: \\"…\\" is not a subject; use one of Options flow',
      'test/golden/invented-days has 1 of at least 3 cases',
      'test/golden/invented-days/lake has no rows',
      'sql/endpoints/invented-days.sql:1: write it in place of',
      'sql/endpoints/invented-days.sql:4: write it in place of',
    ])
      expect(output.replaceAll('\\"', '"')).toContain(message.replaceAll('\\"', '"'))
  })

  test('leads to messages about the catalog file once the head is written', async () => {
    edit('sql/endpoints/invented-days.sql', text =>
      text.replace('subject: …', 'subject: Stocks and ETFs').replaceAll('…', 'Daily bars of a stock'),
    )
    const { stdout, stderr } = await vitest('test/house/operations.test.ts')
    expect(stdout + stderr).toContain('src/operations/catalog/invented-days.ts: fields: list the columns')
    expect(stdout + stderr).toContain('src/operations/catalog/invented-days.ts: dating: name the dataset')
  })

  test('leads to a message about an operation that is not in the index', async () => {
    edit('src/operations/catalog.ts', text => text.replace(/.*invented-days.*\n/, ''))
    const { stdout, stderr } = await vitest('test/house/operations.test.ts')
    expect(stdout + stderr).toContain(
      "src/operations/catalog.ts lacks src/operations/catalog/invented-days.ts: add the line export { inventedDays } from './catalog/invented-days.ts'",
    )
  })
})

test('every kind writes files that lint, formatting and types accept', async () => {
  expect(await make('operation', 'invented-days-again')).toMatchObject({ code: 0 })
  expect(await make('format', 'invented-files')).toMatchObject({ code: 0 })
  expect(await make('dataset', 'invented_rows')).toMatchObject({ code: 0 })
  expect(await make('calculation', 'invented-figure')).toMatchObject({ code: 0 })
  const files = [
    'src/operations/catalog.ts',
    'src/operations/catalog/invented-days-again.ts',
    'test/sql/import/invented-files.test.ts',
    'src/calculations/invented-figure.ts',
    'test/calculations/invented-figure.test.ts',
  ]
  expect(
    await run('node_modules/@biomejs/biome/bin/biome', 'check', '--vcs-enabled=false', ...files),
  ).toMatchObject({
    code: 0,
  })
  expect(await run('node_modules/typescript/bin/tsc', '--noEmit')).toMatchObject({ code: 0, stdout: '' })
  const { stdout, stderr } = await vitest('test/house/unwritten.test.ts')
  for (const path of [
    'sql/import/invented-files.sql:1',
    'sql/schema/invented_rows.sql:1',
    'src/calculations/invented-figure.ts:6',
  ])
    expect(stdout + stderr).toContain(`${path}: write it in place of`)
})

describe('npm run new', () => {
  test('lists the kinds with --help', async () => {
    const { code, stdout } = await make('--help')
    expect(code).toBe(0)
    for (const kind of ['operation', 'format', 'dataset', 'calculation'])
      expect(stdout).toContain(`  ${kind} `)
  })

  test.each([
    [[], 'expected a kind and a name'],
    [['endpoint', 'x'], '"endpoint" is not a kind'],
    [['operation'], 'expected a name for the operation'],
    [['operation', 'StockDays'], '"StockDays" is not a name'],
    [['operation', '../x'], '"../x" is not a name'],
    [['operation', 'stock--days'], '"stock--days" is not a name'],
    [['dataset', 'stock-news'], 'words separated by "_"'],
    [['operation', 'delete'], 'reserved word'],
    [['operation', 'a', 'b'], 'unexpected argument "b"'],
    [['operation', 'greeks'], 'greeks exists already: src/operations/catalog/greeks.ts'],
    [['dataset', 'daily_bars'], 'daily_bars exists already: sql/schema/daily_bars.sql'],
    [['format', 'posts'], 'posts exists already'],
    [['calculation', 'mean'], 'mean exists already'],
  ])('rejects %j and writes nothing', async (args, message) => {
    const before = lines('src/operations/catalog.ts')
    const { code, stdout, stderr } = await make(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(lines('src/operations/catalog.ts')).toEqual(before)
  })
})
