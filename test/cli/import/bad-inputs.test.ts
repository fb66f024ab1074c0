import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { folderForTest } from '../../fixtures/lake.ts'
import { zipOf } from '../../lake/import/input/zip-files.ts'
import { tapehouseHere } from '../in-process.ts'

const bars = (ticker: string) =>
  `Date,Open,High,Low,Close,Adj Close,Volume,Name\n2024-01-02,1,2,1,1.5,1.5,10,${ticker}\n2024-01-03,1,2,1,1.5,1.5,10,${ticker}\n`
const RATES = 'DATE,UNRATE\n2024-01-01,3.7\n2024-02-01,3.9\n'
const BOMB_BYTES = 65 << 20

/** A folder with three good files of two formats, and with whatever can be wrong with an input. */
function folderOfInputs() {
  const folder = folderForTest()
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content)
  const whole = zipOf([{ name: 'a.csv', content: bars('NO') }])
  write('good.csv', bars('A'))
  write('cut.zip', whole.subarray(0, -30))
  write('damaged.csv.gz', gzipSync(bars('NO')).subarray(0, -9))
  write('bomb.zip', zipOf([{ name: 'a.csv', content: Buffer.alloc(BOMB_BYTES, ',') }]))
  write(
    'members.zip',
    zipOf([
      { name: 'good.csv', content: bars('B') },
      { name: 'locked.csv', hasPassword: true },
      { name: 'wrong.csv', content: bars('NO'), checksum: 1 },
    ]),
  )
  symlinkSync(join(folder, 'loop.csv'), join(folder, 'loop.csv'))
  symlinkSync(join(folder, 'nowhere.csv'), join(folder, 'dangling.csv'))
  write('UNRATE.csv', RATES)
  return folder
}

/** The bad inputs of the folder in order, by how their messages begin and end after "refused: " and the folder. */
const REASONS = [
  ['bomb.zip', 'unpacks to more than 250 times its size: unpack it first if that is right'],
  ['cut.zip', 'download it again'],
  ['damaged.csv.gz', 'download it again'],
  ['dangling.csv', 'no such file or folder'],
  ['loop.csv', 'ELOOP'],
  ['members.zip/locked.csv', 'has a password: unpack it first'],
  ['members.zip/wrong.csv', 'its checksum is wrong: download it again'],
  ['missing.csv', 'no such file or folder'],
  ['none-*.csv', 'specify files, folders or a pattern such as data/*.csv'],
] as const

test.each([
  ['of one format', ['daily-bars'], 4, ['UNRATE.csv', 'lacks the columns']],
  ['that are recognised', [], 4, null],
] as const)(
  'bad inputs do not stop the others: files %s',
  { tags: 'slow' },
  async (_, format, rows, other) => {
    const folder = folderOfInputs()
    const lake = join(folderForTest(), 'lake')
    const inputs = [folder, join(folder, 'missing.csv'), join(folder, 'none-*.csv')]
    const { stdout, stderr, code } = await tapehouseHere(['import', ...format, ...inputs, '--lake', lake])
    const refused = stderr
      .split('\n')
      .filter(line => line.startsWith('refused: '))
      .map(line => line.replace('cannot read ', '').replace('no file matches ', ''))
      .toSorted()
    const expected = [...REASONS, ...(other === null ? [] : [other])].toSorted(([one], [two]) =>
      one < two ? -1 : 1,
    )
    expect(refused.map(line => line.slice(`refused: ${folder}/`.length))).toEqual(
      expected.map(([name, reason]) =>
        expect.stringMatching(new RegExp(`^${escaped(name)}.*${escaped(reason)}`)),
      ),
    )
    expect(stdout.toString()).toContain(
      `daily_bars  ${rows} rows, 2 days from 2024-01-02 to 2024-01-03, 2 tickers (A, B)`,
    )
    expect(stdout.toString().includes('economic_points')).toBe(other === null)
    expect(code).toBe(1)
  },
)

const escaped = (text: string) => text.replace(/[.*+?()]/g, '\\$&')

test.each([
  ['cut.zip', 'cannot be unpacked'],
  ['loop.csv', 'ELOOP'],
  ['missing.csv', 'no such file or folder'],
  ['damaged.csv.gz', 'it is not a complete gzip file'],
])('with --all-or-nothing, %s stops the others of all formats', async (name, message) => {
  const folder = folderOfInputs()
  const lake = join(folderForTest(), 'lake')
  for (const [format, files] of [
    [['daily-bars'], ['good.csv', name]],
    [[], ['good.csv', 'UNRATE.csv', name]],
  ] as const) {
    const inputs = files.map(each => join(folder, each))
    const outcome = await tapehouseHere(['import', ...format, ...inputs, '--lake', lake, '--all-or-nothing'])
    expect(outcome.stderr).toContain(message)
    expect(outcome.stderr).toContain(name)
    expect(outcome.code).toBe(1)
    expect(existsSync(lake)).toBe(false)
  }
})

test('with --all-or-nothing, a file that is bad only when it is read stops those of other formats', async () => {
  const folder = folderForTest()
  writeFileSync(join(folder, 'A.csv'), bars('A'))
  writeFileSync(join(folder, 'UNRATE.csv'), `${RATES}${'2024-03-01,x\n'.repeat(9)}`)
  const lake = join(folderForTest(), 'lake')
  const { code } = await tapehouseHere(['import', folder, '--lake', lake, '--all-or-nothing'])
  expect(code).toBe(1)
  expect(existsSync(lake)).toBe(false)
})
