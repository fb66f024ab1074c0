import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openWriter } from '../../../src/engine/writer.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { DAYS, goodDay, importing } from './importing.ts'
import { zstdOf } from './input/zstd-frames.ts'

/** Bars of 30 days: a lake takes longer to write many days than many rows. */
const days = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    goodDay(`T${Math.floor(index / 30)}`, `2000-01-${String((index % 30) + 1).padStart(2, '0')}`),
  )
const csv = (count: number) => Buffer.from([DAYS, ...days(count)].join('\n'))

describe('an import is rejected as a whole, in one line that names the file, if a file', () => {
  const gz = gzipSync(csv(3000))
  const zst = zstdOf(csv(3000), { checksum: true })
  const cases: [what: string, name: string, content: Buffer, message: string | RegExp][] = [
    ['is empty', 'a.csv', Buffer.alloc(0), 'is empty: download it again, or exclude it'],
    ['has blank lines only', 'a.csv', Buffer.from('\n \r\n'), 'is empty: download it again, or exclude it'],
    [
      'has a header only',
      'a.csv',
      Buffer.from(DAYS),
      'has a header and no rows: download it again, or exclude it',
    ],
    [
      'has other columns',
      'a.csv',
      Buffer.from('a,b\n1,2\n'),
      /^ lacks the columns ticker .*, but is a, b: draft a layout with tapehouse import daily-bars --map-from \S+a\.csv > layout\.json, or see tapehouse import daily-bars --help$/,
    ],
    [
      'is binary',
      'a.csv',
      Buffer.concat([Buffer.from([0, 255]), randomBytes(50_000)]),
      /^ is a binary file of an unknown kind: /,
    ],
    [
      'has only carriage returns',
      'a.csv',
      Buffer.from(`${DAYS}\r${goodDay('A')}`),
      /broken by carriage returns/,
    ],
    [
      'is a gzip that breaks off',
      'a.csv.gz',
      gz.subarray(0, gz.length / 2),
      / is not a complete gzip file \(unexpected end of file\): download it again$/,
    ],
    [
      'is a gzip that lacks its last byte',
      'a.csv.gz',
      gz.subarray(0, gz.length - 1),
      / is not a complete gzip file /,
    ],
    ['is a gzip of no bytes', 'a.csv.gz', Buffer.alloc(0), 'is empty: download it again, or exclude it'],
    ['is a gzip with a flipped bit', 'a.csv.gz', flipped(gz), / is not a complete gzip file /],
    [
      'is no gzip',
      'a.csv.gz',
      Buffer.alloc(99, '\0\u0001'),
      / is not a complete gzip file \(incorrect header check\)/,
    ],
    [
      'is an HTML page by the name of a gzip',
      'a.csv.gz',
      Buffer.from('<!DOCTYPE html>\n<title>Sign in</title>'),
      / is an HTML page \("Sign in"\), probably a download that failed: /,
    ],
    [
      'is a gzip of an error message',
      'a.csv.gz',
      gzipSync('{"code": -1003, "msg": "Too many requests queued."}'),
      / is an error message of Binance \("Too many requests queued\."\): wait until /,
    ],
    [
      'is a zstd that breaks off',
      'a.csv.zst',
      zst.subarray(0, zst.length / 2),
      / is not a complete zstd file \(truncated\): download it again$/,
    ],
    [
      'is a zstd that lacks its last byte',
      'a.csv.zst',
      zst.subarray(0, zst.length - 1),
      / is not a complete zstd file \(truncated\)/,
    ],
    ['is a zstd with a flipped bit', 'a.csv.zst', flipped(zst), / cannot be decompressed: .*checksum/],
    [
      'is no zstd',
      'a.csv.zst',
      Buffer.alloc(99, '\0\u0001'),
      / is not a complete zstd file \(wrong magic number\)/,
    ],
    [
      'is a zstd of text that is not UTF-8',
      'a.csv.zst',
      zstdOf(Buffer.from(`${DAYS}\n\xff\n`, 'latin1')),
      / cannot be decompressed: it is not UTF-8 text; decompress it with "zstd -d" and import the \.csv$/,
    ],
  ]

  test.each(cases)('%s', async (_, name, content, message) => {
    const run = importing()
    const scratch = folderForTest()
    vi.stubEnv('TMPDIR', scratch)
    onTestFinished(() => void vi.unstubAllEnvs())
    const good = run.file('good.csv', [DAYS, goodDay('B')])
    const path = run.file(name, content)
    const refusal = await run.refusal([good, path], { isAllOrNothing: true })
    expect(refusal).toContain(`input_refused: ${path}`)
    const rest = refusal.slice(`input_refused: ${path}`.length)
    if (typeof message === 'string') expect(rest).toBe(` ${message}`)
    else expect(rest).toMatch(message)
    expect(existsSync(run.lake)).toBe(false)
    expect(readdirSync(scratch)).toEqual([])
  })

  function flipped(bytes: Buffer): Buffer {
    const copy = Buffer.from(bytes)
    const middle = Math.floor(copy.length / 2)
    copy[middle] = (copy[middle] ?? 0) ^ 1
    return copy
  }
})

test('complete files are read: gzip, gzip of several members, zstd, zstd of several frames', {
  tags: 'slow',
}, async () => {
  const text = csv(3000)
  const [first, second] = [text.subarray(0, 50_000), text.subarray(50_000)]
  const files: [string, Buffer][] = [
    ['a.csv', text],
    ['a.csv.gz', gzipSync(text)],
    ['b.CSV.GZ', Buffer.concat([gzipSync(first), gzipSync(second)])],
    ['a.csv.zst', zstdOf(text)],
    [
      'b.csv.zst',
      Buffer.concat([
        zstdOf(first),
        zstdOf(Buffer.alloc(0), { skippable: true }),
        zstdOf(second, { checksum: true }),
      ]),
    ],
  ]
  for (const [name, content] of files) {
    const run = importing()
    expect(await run.import([run.file(name, content)]), name).toMatchObject({ rows: 3000, rejected: 0 })
    expect(await run.rows('SELECT count(*), min(date), max(date) FROM bars'), name).toEqual([
      '3000 2000-01-01 2000-01-30',
    ])
  }
})

test('a zstd file of a compressor is read, and rejected if it is truncated', { tags: 'slow' }, async () => {
  const run = importing()
  const path = join(run.folder, 'a.csv.zst')
  const writer = await openWriter({ directories: [run.folder] })
  onTestFinished(() => writer.close())
  await writer.run(
    `COPY (SELECT DATE '1900-01-01' + (i % 30)::INTEGER AS date, 1 AS open, 2 AS high, 1 AS low, 1.5 AS close, i * i AS volume,
       'T' || i // 30 AS ticker FROM range(40000) AS r(i)) TO '${path}' (FORMAT csv, HEADER, COMPRESSION zstd)`,
  )
  const bytes = readFileSync(path)
  for (const length of [5, 1000, Math.floor(bytes.length / 2), bytes.length - 1])
    expect(await run.refusal([run.file('b.csv.zst', bytes.subarray(0, length))])).toContain('(truncated)')
  expect(await run.import([path])).toMatchObject({ rows: 40_000, rejected: 0 })
})

test('a zstd file keeps its line numbers, with blank lines, CRLF and quoted line ends', async () => {
  const run = importing()
  const lines = [
    DAYS,
    '',
    goodDay('A'),
    '2024-01-02,"1',
    '",2,1,1.5,10,A',
    '',
    'x',
    goodDay('A', '2024-01-03'),
  ]
  await run.import([run.file('a.csv.zst', zstdOf(Buffer.from(lines.join('\r\n'))))])
  expect(
    run
      .rejects()
      .slice(1)
      .map(([, line, , reason]) => `${line} ${reason}`),
  ).toEqual(['4 not a plain decimal number', '7 too few fields'])
})
