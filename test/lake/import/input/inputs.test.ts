import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { DAYS, goodDay, importing, query } from '../importing.ts'
import { zstdOf } from './zstd-frames.ts'

describe('inputs', () => {
  test('that are missing, neither file nor folder, or without files are rejected', async () => {
    const run = importing()
    const fifo = join(run.folder, 'fifo')
    execFileSync('mkfifo', [fifo])
    const loop = join(run.folder, 'loop.csv')
    symlinkSync(loop, loop)
    const folder = join(run.folder, 'folder')
    mkdirSync(join(folder, 'deeper'), { recursive: true })
    writeFileSync(join(folder, 'deeper', 'note.md'), '')
    writeFileSync(join(folder, '.hidden.csv'), '')
    const gone = join(run.folder, 'gone\n.csv')
    expect(await run.refusal([gone])).toBe(
      `input_refused: cannot read ${run.folder}/gone?.csv: no such file or folder`,
    )
    expect(await run.refusal([fifo])).toBe(
      `input_refused: ${fifo} is neither a file nor a folder: specify a file or a folder`,
    )
    expect(await run.refusal([loop])).toMatch(/^input_refused: cannot read .*loop\.csv: ELOOP/)
    expect(await run.refusal([folder])).toBe(
      `input_refused: no .csv, .tsv, .txt, .xlsx, .json, .ndjson or .jsonl file in ${folder}, compressed or in an archive either: specify a file, or a folder with such files`,
    )
  })

  test('that are folders are searched to the bottom, in order of names, each file once', async () => {
    const run = importing()
    const folder = join(run.folder, 'folder')
    mkdirSync(join(folder, 'b'), { recursive: true })
    writeFileSync(join(folder, 'b', 'z.csv'), `${DAYS}\n2024-01-02,1,2,1,1.1,10,A\n`)
    writeFileSync(join(folder, 'a.csv'), `${DAYS}\n2024-01-02,1,2,1,1.2,10,A\n`)
    writeFileSync(join(folder, 'c.CSV'), `${DAYS}\n2024-01-02,1,2,1,1.3,10,A\n`)
    writeFileSync(join(folder, 'c.csv.bak'), 'not looked at')
    writeFileSync(join(folder, '._a.csv'), 'not looked at')
    symlinkSync('..', join(folder, 'b', 'up'))
    symlinkSync('..', join(folder, 'b', 'around'))
    const report = await run.import([join(folder, 'c.CSV'), folder, join(folder, 'a.csv')])
    // c.CSV came first, so the last of the rows with the same key is that of b/z.csv.
    expect(report).toMatchObject({ files: 3, skipped: 0, rows: 1 })
    expect(await run.rows('SELECT close FROM bars')).toEqual(['1.100000'])
    expect(run.notices()).toEqual(['2 rows were replaced by later rows with the same key'])
  })

  test('may have any name: none becomes SQL or a pattern', async () => {
    const run = importing()
    const names = [
      "x'); DROP TABLE import_accepted; --.csv",
      '*.csv',
      '[ab].csv',
      '?.csv.gz',
      '-.csv',
      '2020-01-01.csv',
      '{a,b}.csv.zst',
    ]
    const inputs = names.map((name, index) => {
      const bytes = Buffer.from(`${DAYS}\n${goodDay(`T${index}`)}\n`)
      return run.file(
        name,
        name.endsWith('gz') ? gzipSync(bytes) : name.endsWith('zst') ? zstdOf(bytes) : bytes,
      )
    })
    run.file('a.csv', [DAYS, goodDay('OTHER')])
    expect(await run.import(inputs)).toMatchObject({ files: 7, rows: 7, rejected: 0 })
    expect(await run.rows('SELECT ticker, date FROM bars ORDER BY ticker')).toEqual(
      names.map((_, index) => `T${index} 2024-01-02`),
    )
  })
})

describe('the lake', () => {
  test('is not created from a file or in a folder with other files', async () => {
    const run = importing()
    const good = run.file('good.csv', [DAYS, goodDay('B')])
    expect(await run.refusal([good], { lake: good })).toBe(
      `lake_missing: ${good} is a file: specify a folder for the lake`,
    )
    expect(await run.refusal([good], { lake: run.folder })).toBe(
      `lake_missing: ${run.folder} is not a lake and not empty (it holds "good.csv"): specify an empty or a new folder`,
    )
    expect(readdirSync(run.folder)).toEqual(['good.csv'])
  })

  test('may have a quote in its name, but nothing that DuckDB takes for a pattern', async () => {
    const run = importing()
    const path = run.file('a.csv', [DAYS, goodDay('B'), 'x'])
    const lake = join(run.folder, "la'ke; DROP TABLE x")
    const { rejectsFile } = await run.import([path], { lake })
    expect(readFileSync(String(rejectsFile), 'utf8')).toBe(
      `file,line,column,reason,value\n${path},3,,too few fields,x\n`,
    )
    expect(await query(lake, 'daily_bars', 'SELECT ticker FROM bars')).toEqual(['B'])
    expect(await run.refusal([path], { lake: join(run.folder, 'la[k]e') })).toMatch(
      /^usage: .* cannot hold a lake/,
    )
  })

  test('is created in an empty folder, and in one with leftovers of a failed import', async () => {
    for (const leftover of [undefined, 'rejects', '.staging', 'snapshots']) {
      const run = importing()
      mkdirSync(join(run.lake, leftover ?? ''), { recursive: true })
      expect(await run.import([run.file('good.csv', [DAYS, goodDay('B')])])).toMatchObject({ snapshot: 1 })
    }
    const killed = importing()
    for (const name of ['.staging', 'daily_bars']) mkdirSync(join(killed.lake, name), { recursive: true })
    expect(await killed.import([killed.file('good.csv', [DAYS, goodDay('B')])])).toMatchObject({
      snapshot: 1,
    })
    const foreign = importing()
    mkdirSync(join(foreign.lake, 'daily_bars'), { recursive: true })
    expect(await foreign.refusal([foreign.file('good.csv', [DAYS, goodDay('B')])])).toMatch(/not empty/)
  })
})
