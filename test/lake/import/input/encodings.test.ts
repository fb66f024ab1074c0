import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { converterOf } from '../../../../src/lake/import/input/encodings.ts'
import { DAYS, goodDay, importing } from '../importing.ts'
import { zipOf } from './zip-files.ts'

/** UTF-16 of a text, of either order of bytes, with its byte order mark. */
const utf16 = (text: string, isBigEndian = false, mark = '\ufeff') => {
  const bytes = Buffer.from(mark + text, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

/** The text that pieces of a file are read as, `size` bytes each. */
async function converted(bytes: Buffer, size: number, encoding?: string): Promise<string | null> {
  const convert = converterOf(bytes.subarray(0, 512), encoding)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  if (convert === undefined) return null
  const parts: Buffer[] = []
  for await (const part of convert(pieces())) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

describe('a text in UTF-16 is read', () => {
  // An emoji is two units, each of which may be cut by the end of a piece.
  const text = 'Date\tName\r\n2024-01-02\té😀日\r\n'
  test.each([1, 2, 3, 5, 7, 512])('in pieces of %i bytes', async size => {
    expect(await converted(utf16(text), size)).toBe(text)
    expect(await converted(utf16(text, true), size)).toBe(text)
    expect(await converted(utf16(text, true, ''), size)).toBe(text)
    expect(await converted(utf16(text, false, ''), size)).toBe(text)
  })

  test('and no other text is taken for it', async () => {
    for (const other of [text, `\ufeff${text}`, '', 'a'])
      expect(await converted(Buffer.from(other), 512)).toBeNull()
    expect(await converted(Buffer.from('fffe00004400000061000000', 'hex'), 512)).toBeNull()
  })

  test('unless it has an invalid character, which is named with its line', async () => {
    const bad = utf16('Date\n1\nx\ud83dy\n')
    await expect(converted(bad, 4)).rejects.toThrow('line 3 has the invalid character 0xd83d of UTF-16')
    await expect(converted(utf16('Date\n1').subarray(0, -1), 4)).rejects.toThrow(
      'it ends in the middle of a character, at line 2',
    )
  })
})

test('a text is read in the encoding that the user specifies', async () => {
  expect(await converted(Buffer.from('Nestl\xe9 \x80', 'latin1'), 3, 'windows-1252')).toBe('Nestlé €')
  expect(await converted(Buffer.from('83818362', 'hex'), 1, 'shift_jis')).toBe('メッ')
  expect(await converted(Buffer.from('\ufeffNestlé'), 3, 'windows-1252')).toBeNull()
  await expect(converted(Buffer.from('a\nb\n\x83', 'latin1'), 2, 'shift_jis')).rejects.toThrow(
    'at line 3 or soon after, it has bytes that are not shift_jis',
  )
})

test('files in UTF-16 are imported as others: as Excel writes them, compressed, and in archives', {
  tags: 'slow',
}, async () => {
  const run = importing()
  const tabs = (ticker: string) =>
    `${DAYS}\n${goodDay(ticker)}\n`.replaceAll(',', '\t').replaceAll('\n', '\r\n')
  const files = [
    run.file('unicode-text.txt', utf16(tabs('A'))),
    run.file('big.csv', utf16(tabs('B'), true)),
    run.file('packed.csv.gz', gzipSync(utf16(tabs('C')))),
    run.file('archive.zip', zipOf([{ name: 'd.txt', content: utf16(tabs('D')) }])),
    run.file('bad.csv', utf16(`${tabs('E')}\ud800\n`)),
  ]
  const report = await run.import(files)
  expect(report).toMatchObject({ files: 5, rows: 4, rejected: 0 })
  expect(report.refused.map(({ reason }) => reason)).toEqual([
    `${files[4]} cannot be unpacked: line 3 has the invalid character 0xd800 of UTF-16: download it again`,
  ])
  expect(await run.rows('SELECT ticker FROM bars ORDER BY ticker')).toEqual(['A', 'B', 'C', 'D'])
  expect(await run.import(files.slice(0, 4))).toMatchObject({ skipped: 4, published: false })
})

test('a file in an old encoding is imported with --encoding, and without it the rejects say so', async () => {
  const run = importing()
  const posts = Buffer.from(
    'id,date,timestamp,post\n1,2024-01-02,2024-01-02T00:00:00Z,Nestl\xe9\n2,2024-01-02,2024-01-02T00:00:00Z,b\n',
    'latin1',
  )
  const file = run.file('a.csv', posts)
  const format = 'csv-posts'
  expect(await run.import([file], { format })).toMatchObject({ rows: 1, rejected: 1 })
  expect(run.notices()).toContain(
    `${file} has lines that are not UTF-8: if they are text, specify --encoding, e.g. --encoding windows-1252`,
  )
  expect(await run.import([file], { format, encoding: 'windows-1252' })).toMatchObject({
    rows: 2,
    rejected: 0,
  })
  expect(await run.rows('SELECT post FROM bars ORDER BY id', 'posts')).toEqual(['Nestlé', 'b'])
  expect(await run.refusal([file], { format, encoding: 'cp-1' })).toBe(
    'usage: unknown encoding "cp-1": use a name such as windows-1252, iso-8859-15, windows-1251, gb18030 or shift_jis',
  )
})
