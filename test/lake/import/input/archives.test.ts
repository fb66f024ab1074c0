import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { describe, expect, test } from 'vitest'
import {
  ARCHIVE_LIMITS,
  type ArchiveLimits,
  unpackArchives,
} from '../../../../src/lake/import/input/archives.ts'
import { cancelingBy } from '../../../../src/lake/import/input/cancel.ts'
import { endingsOf } from '../../../../src/lake/import/input/endings.ts'
import { folderForTest } from '../../../fixtures/lake.ts'
import { DAYS, goodDay, importing } from '../importing.ts'
import { zipOf } from './zip-files.ts'
import { zstdOf } from './zstd-frames.ts'

/** Unpacks one archive, and returns its data members as `path: content`. */
async function unpacked(
  name: string,
  bytes: Uint8Array,
  { isNamed = true, ...limits }: Partial<ArchiveLimits> & { isNamed?: boolean } = {},
) {
  const folder = folderForTest()
  const path = join(folder, name)
  writeFileSync(path, bytes)
  const { files, bad } = await unpackArchives(
    [{ path, shown: name, origin: path, bytes: bytes.length, isNamed }],
    {
      folder,
      endings: endingsOf(['csv']),
      canceling: cancelingBy(undefined),
      limits: { ...ARCHIVE_LIMITS, ...limits },
    },
  )
  for (const { failure } of bad) throw failure
  for (const file of readdirSync(folder)) expect(file).toMatch(/^member-\d+$|^[a-z.]+$/)
  return files.map(({ path: each, shown }) => `${shown}: ${readFileSync(each, 'latin1').slice(0, 20)}`)
}

const tarOf = async (members: readonly (readonly [name: string, content: string])[]) =>
  Buffer.from(await packTar(members.map(([name, body]) => ({ header: { name, size: body.length }, body }))))

const MEMBERS: readonly (readonly [string, string])[] = [
  ['b/one.csv', '1'],
  ['a.CSV', '2'],
  ['README.txt', 'no'],
  ['list.pdf', 'no'],
  ['__MACOSX/._a.csv', 'no'],
  ['.DS_Store', 'no'],
  ['c/.hidden.csv', 'no'],
  ['é.txt', '3'],
]

describe('the members of an archive', () => {
  test('are the files that would be taken from a folder, in its order', async () => {
    const expected = (archive: string) => [
      `${archive}/b/one.csv: 1`,
      `${archive}/a.CSV: 2`,
      `${archive}/é.txt: 3`,
    ]
    const tar = await tarOf(MEMBERS)
    expect(await unpacked('x.bin', zipOf(MEMBERS.map(([name, content]) => ({ name, content }))))).toEqual(
      expected('x.bin'),
    )
    expect(await unpacked('x.tar', tar)).toEqual(expected('x.tar'))
    expect(await unpacked('x.tgz', gzipSync(tar))).toEqual(expected('x.tgz'))
    expect(await unpacked('x.tar.zst', zstdOf(tar))).toEqual(expected('x.tar.zst'))
  })

  test('may be stored, compressed, or archives of their own', async () => {
    const inner = zipOf([{ name: 'in.csv', content: 'x', method: 0 }])
    expect(await unpacked('a.zip', zipOf([{ name: 'i/inner.zip', content: inner }]))).toEqual([
      'a.zip/i/inner.zip/in.csv: x',
    ])
    const gz = gzipSync('y')
    expect(await unpacked('a.zip', zipOf([{ name: 'y.csv.gz', content: gz }]))).toEqual([
      `a.zip/y.csv.gz: ${gz.toString('latin1').slice(0, 20)}`,
    ])
    const outer = zipOf([{ name: 'two.zip', content: zipOf([{ name: 'one.zip', content: inner }]) }])
    await expect(unpacked('a.zip', outer)).rejects.toThrow(
      'a.zip/two.zip/one.zip is an archive within archives: unpack the outer one first',
    )
  })

  test('are taken whatever their name if there is only one', async () => {
    const one = zipOf([{ name: 'data.bin', content: 'x' }, { name: '__MACOSX/x.csv' }])
    expect(await unpacked('a.zip', one)).toEqual(['a.zip/data.bin: x'])
    expect(await unpacked('a.zip', one, { isNamed: false })).toEqual([])
  })
})

describe('an archive is refused', () => {
  const two = [
    { name: 'a.csv', content: 'a' },
    { name: 'b.csv', content: 'b' },
  ]
  const whole = zipOf(two)
  const flipped = Buffer.from(whole)
  flipped.writeUInt8(flipped.readUInt8(0x26) ^ 1, 0x26)
  const zeros = Buffer.alloc(1 << 20)

  test.each([
    [
      'without data',
      zipOf([{ name: 'a.pdf' }, { name: 'b.doc' }]),
      'a.zip has no .csv, .tsv, .txt, .xlsx file: it has a.pdf, b.doc',
    ],
    ['without members', zipOf([]), 'a.zip has no .csv, .tsv, .txt, .xlsx file: it has no files'],
    ['that is cut off', whole.subarray(0, -30), 'a.zip cannot be unpacked: '],
    [
      'with a wrong checksum',
      zipOf([{ name: 'a.csv', content: 'x', checksum: 1 }]),
      'a.zip/a.csv cannot be unpacked: its checksum is wrong: download it again',
    ],
    [
      'with a wrong size',
      zipOf([{ name: 'a.csv', content: 'xyz', bytes: 2 }]),
      'a.zip/a.csv cannot be unpacked: too many bytes',
    ],
    ['with damaged bytes', flipped, 'a.zip/b.csv cannot be unpacked: '],
    [
      'with a password',
      zipOf([{ name: 'a.csv', hasPassword: true }]),
      'a.zip/a.csv has a password: unpack it first',
    ],
    [
      'with another compression',
      zipOf([{ name: 'a.csv', method: 14 }]),
      'a.zip/a.csv is compressed by method 14, which is not read',
    ],
    [
      'with a path that leads out of it',
      zipOf([{ name: '../../a.csv' }]),
      'a.zip cannot be unpacked: invalid relative path: ../../a.csv',
    ],
    [
      'with an absolute path',
      zipOf([{ name: '/etc/a.csv' }]),
      'a.zip cannot be unpacked: absolute path: /etc/a.csv',
    ],
    ['with a drive', zipOf([{ name: 'C:\\a.csv' }]), 'a.zip cannot be unpacked: absolute path: C:/a.csv'],
  ])('%s', async (_, bytes, message) => {
    await expect(unpacked('a.zip', bytes)).rejects.toThrow(message)
  })

  test('of tar that is cut off, has a path that leads out of it, or is damaged in gzip', async () => {
    const tar = await tarOf([
      ['a.csv', 'x'.repeat(2000)],
      ['b.csv', 'y'],
    ])
    await expect(unpacked('a.tar', tar.subarray(0, 1500))).rejects.toThrow(
      'a.tar cannot be unpacked: Tar archive is truncated',
    )
    await expect(unpacked('a.tar', await tarOf([['../a.csv', 'x']]))).rejects.toThrow(
      'a.tar cannot be unpacked: invalid relative path: ../a.csv',
    )
    await expect(unpacked('a.tgz', gzipSync(tar).subarray(0, -9))).rejects.toThrow(
      'a.tgz cannot be unpacked: ',
    )
    await expect(unpacked('a.tar.zst', zstdOf(damagedTar(tar)))).rejects.toThrow(
      'a.tar.zst cannot be unpacked: ',
    )
    await expect(unpacked('a.tar', damagedTar(tar))).rejects.toThrow('a.tar cannot be unpacked: ')
  })

  test('that exceeds a limit', async () => {
    await expect(unpacked('a.zip', whole, { members: 1 })).rejects.toThrow(
      'a.zip has more than 1 members: unpack it first',
    )
    const bomb = zipOf([
      { name: 'a.csv', content: zeros },
      { name: 'b.csv', content: zeros },
    ])
    await expect(unpacked('a.zip', bomb, { bytes: 1 << 20 })).rejects.toThrow(
      'a.zip unpacks to more than 1 MiB: unpack it first',
    )
    await expect(unpacked('a.zip', bomb, { ratioFromBytes: 1 << 20 })).rejects.toThrow(
      'a.zip unpacks to more than 250 times its size: unpack it first if that is right',
    )
    const tar = gzipSync(await tarOf([['a.csv', zeros.toString()]]))
    await expect(unpacked('a.tgz', tar, { ratioFromBytes: 1 << 19 })).rejects.toThrow('250 times')
    expect(await unpacked('a.zip', bomb)).toHaveLength(2)
  })
})

/** A tar archive whose second header is damaged. */
const damagedTar = (tar: Buffer) => Buffer.from(tar).fill('x', 2700, 2720)

/** A zstd file of many blocks of one byte, each of which is repeated 128 KiB times. */
function zstdBomb(blocks: number): Buffer {
  const one = (isLast: boolean) => {
    const block = Buffer.alloc(4, ',')
    block.writeUIntLE((128 << 10) * 8 + 2 + (isLast ? 1 : 0), 0, 3)
    return block
  }
  const all = Array.from({ length: blocks }, (_, index) => one(index === blocks - 1))
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3]), ...all])
}

test('a compressed file that contains too much is refused before it fills memory or disk', {
  tags: 'slow',
}, async () => {
  const run = importing()
  for (const bomb of [
    run.file('a.csv.gz', gzipSync(Buffer.alloc(70 << 20, `${DAYS}\n`))),
    run.file('b.csv.zst', zstdBomb(600)),
  ])
    expect(await run.refusal([bomb])).toBe(
      `input_refused: ${bomb} unpacks to more than 250 times its size: unpack it first if that is right`,
    )
  const wide = zstdBomb(1)
  wide.writeUInt8(20 << 3, 5)
  expect(await run.refusal([run.file('wide.csv.zst', wide)])).toContain('(its window is larger than 128 MiB)')
  expect(await run.refusal([run.file('bomb.tar.zst', zstdBomb(600))])).toContain('250 times')
})

test('members are inputs of their own: known by their content, and named by their archive', async () => {
  const run = importing()
  const [one, two] = ['A', 'B'].map(ticker => `${DAYS}\n${goodDay(ticker)}\n`)
  const bad = `${one}2024-01-02,x\n`
  const first = run.file(
    'first.zip',
    zipOf([
      { name: 'x/a.csv', content: bad },
      { name: 'b.csv', content: two },
    ]),
  )
  const report = await run.import([first])
  expect(report).toMatchObject({ files: 2, rows: 2, rejected: 1 })
  expect(readFileSync(String(report.rejectsFile), 'utf8')).toContain(`${first}/x/a.csv,3,,too few fields`)
  const [record = ''] = readdirSync(join(run.lake, 'imports'))
  expect(JSON.parse(readFileSync(join(run.lake, 'imports', record), 'utf8')).files).toMatchObject([
    { name: 'a.csv', bytes: Buffer.byteLength(bad) },
    { name: 'b.csv' },
  ])
  const second = run.file('second.tgz', gzipSync(await tarOf([['x/b.csv', two ?? '']])))
  expect(await run.import([second])).toMatchObject({ files: 1, skipped: 1, published: false })
})

test('compression is recognised by content, whatever the name', async () => {
  const run = importing()
  const day = (ticker: string) => Buffer.from(`${DAYS}\n${goodDay(ticker)}\n`)
  const files = [run.file('a.csv', gzipSync(day('A'))), run.file('b.csv.gz', day('B'))]
  expect(await run.import(files)).toMatchObject({ rows: 2, rejected: 0 })
})

test('standard input is a file of any kind, patterns are files and folders, and a name with brackets is a file', {
  tags: 'slow',
}, async () => {
  const run = importing()
  const day = (ticker: string) => Buffer.from(`${DAYS}\n${goodDay(ticker)}\n`)
  async function* piped(bytes: Buffer) {
    yield bytes
  }
  for (const [ticker, bytes] of [
    ['A', day('A')],
    ['B', gzipSync(day('B'))],
    ['C', zipOf([{ name: 'c.csv', content: day('C') }])],
  ] as const) {
    expect(await run.import(['-'], { standardInput: piped(bytes) }), ticker).toMatchObject({ rows: 1 })
  }
  await expect(run.import(['-'], { standardInput: piped(Buffer.alloc(0)) })).rejects.toThrow(
    'standard input is empty',
  )
  run.file('d[1].csv', day('D'))
  run.file('d1.csv', day('E'))
  run.file('e.txt', [])
  expect(await run.import([join(run.folder, 'd[1].csv')])).toMatchObject({ files: 1, rows: 1 })
  expect(await run.import([join(run.folder, 'd*.csv')])).toMatchObject({ files: 2, skipped: 1, rows: 1 })
  expect(await run.refusal([join(run.folder, 'x*.csv')])).toContain(
    `no file matches ${run.folder}/x*.csv: specify files, folders or a pattern such as data/*.csv`,
  )
  expect(await run.rows('SELECT ticker FROM bars ORDER BY ticker')).toEqual(['A', 'B', 'C', 'D', 'E'])
})
