import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromJsonString, toJsonString } from '@bufbuild/protobuf'
import { sizeDelimitedDecodeStream } from '@bufbuild/protobuf/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataset } from '../../src/lake/store/datasets.ts'
import { type ChainFrag, ChainFragSchema } from '../../src/stream/tapehouse_pb.ts'
import { tapehouseHere } from '../cli/in-process.ts'
import { tapehouse } from '../cli/process.ts'
import { folderForTest, makeLake, SMALL_DAYS } from '../fixtures/lake.ts'
import { foreignFolder } from '../lake/adopt/foreign.ts'
import { type FragLake, fragLake } from './frag-lake.ts'
import { parquetRows } from './parquet-rows.ts'

let market: FragLake
let trades: number
beforeAll(async () => {
  market = await fragLake()
  const [row] = await parquetRows(
    market.snapshot,
    'option_trades',
    `SELECT count(*)::INTEGER AS trades FROM rows WHERE date = '${market.day}' AND NOT canceled`,
  )
  trades = Number(row?.trades)
})
afterAll(() => market.close())

/** A frag with a number beyond its field's 32 bits. */
const GIVEN: Readonly<Record<string, string>> = {
  date: "'2024-01-02'",
  start_time: "'2024-01-02 15:00:00'",
  tape_time: "'2024-01-02 15:01:00'",
  option_symbol: "'ACME240119C00100000'",
  cross_volume: `${2 ** 31}`,
}

/** What a replay of a generated lake says on standard error. */
const SYNTHETIC = 'note: all data of this lake are synthetic\n'

const stream = (...args: string[]) => tapehouse(['stream', '--lake', market.lake, ...args])

async function decoded(bytes: Uint8Array): Promise<ChainFrag[]> {
  async function* once() {
    yield bytes
  }
  const frags: ChainFrag[] = []
  for await (const frag of sizeDelimitedDecodeStream(ChainFragSchema, once())) frags.push(frag)
  return frags
}

describe('tapehouse stream', () => {
  test('writes the last day as protobuf, and the same as ProtoJSON', async () => {
    const binary = await stream('--speed', 'max')
    const json = await stream('--speed', 'max', '--format', 'json', '--date', market.day)
    expect([binary.code, binary.stderr, json.code, json.stderr]).toEqual([0, SYNTHETIC, 0, SYNTHETIC])
    const frags = await decoded(binary.stdout)
    expect(frags.reduce((sum, frag) => sum + frag.trades, 0)).toBe(trades)
    const lines = json.stdout.toString().trimEnd().split('\n')
    expect(lines).toEqual(frags.map(frag => toJsonString(ChainFragSchema, frag)))
    expect(lines.map(line => fromJsonString(ChainFragSchema, line))).toEqual(frags)
  })

  test('writes in the order of the tape, however many threads and pieces it is written in', {
    tags: 'slow',
  }, async () => {
    const atOnce = await stream('--speed', 'max', '--updates')
    const paced = await stream('--speed', '3600', '--updates')
    expect([atOnce.code, paced.code]).toEqual([0, 0])
    const order = await parquetRows(
      market.snapshot,
      'option_trades',
      `SELECT epoch_ms(executed_at) || ' ' || option_chain_id AS key FROM rows
       WHERE date = '${market.day}' AND NOT canceled ORDER BY executed_at, id`,
    )
    // More than a batch for each thread.
    expect(order.length).toBeGreaterThan(3 * 1024)
    const updates = await decoded(atOnce.stdout)
    expect(updates.map(({ tapeTime, optionSymbol }) => `${tapeTime} ${optionSymbol}`)).toEqual(
      order.map(({ key }) => key),
    )
    expect(paced.stdout.equals(atOnce.stdout)).toBe(true)
  })

  test.each(['protobuf', 'json'])(
    'reports as %s the contract with a number that does not fit in its field',
    async format => {
      const { folder, writer } = await foreignFolder()
      mkdirSync(join(folder, 'chain_frags'))
      const columns = dataset('chain_frags').columns.map(({ name, type, nullable }) => {
        const value = GIVEN[name] ?? (nullable ? 'NULL' : type === 'VARCHAR' ? "'ACME'" : '0')
        return `${value}::${type} AS ${name}`
      })
      const path = join(folder, 'chain_frags/day.parquet')
      await writer.run(`COPY (SELECT ${columns}) TO '${path}' (FORMAT parquet)`)
      expect((await tapehouseHere(['adopt', folder])).code).toBe(0)
      const file = join(folderForTest(), 'day.bin')
      const args = ['--speed', 'max', '--format', format, '--output', file]
      const ended = await tapehouse(['stream', '--lake', folder, ...args])
      expect([ended.code, ended.stdout.length, existsSync(file)]).toEqual([1, 0, false])
      expect(ended.stderr).toMatch(
        /^tapehouse: ACME240119C00100000: cross_volume 2147483648 does not fit in the 32 bits [^\n]+\n$/,
      )
    },
  )

  test('with updates writes a message a trade, of one ticker its own', async () => {
    const { stdout, code } = await stream('--speed', 'max', '--updates', '--ticker', 'acme')
    expect(code).toBe(0)
    const [row] = await parquetRows(
      market.snapshot,
      'option_trades',
      `SELECT count(*)::INTEGER AS trades FROM rows
       WHERE date = '${market.day}' AND NOT canceled AND underlying_symbol = 'ACME'`,
    )
    expect((await decoded(stdout)).length).toBe(Number(row?.trades))
  })

  test('writes a file under its name only when the file is complete, and never over another', {
    tags: 'slow',
  }, async () => {
    const folder = folderForTest()
    const file = join(folder, 'day.bin')
    const { stdout, code } = await stream('--speed', 'max', '--output', file)
    expect([code, stdout.toString(), readdirSync(folder)]).toEqual([0, '', ['day.bin']])
    const bytes = readFileSync(file)
    expect(bytes.equals((await stream('--speed', 'max')).stdout)).toBe(true)
    const again = await stream('--speed', 'max', '--output', file)
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringMatching(/day\.bin already exists: specify another name, or remove the file first/),
    ])
    expect([readdirSync(folder), readFileSync(file).equals(bytes)]).toEqual([['day.bin'], true])
    const nowhere = await stream('--speed', 'max', '--output', join(folder, 'no', 'day.bin'))
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringMatching(/day\.bin cannot be written/)])
  })

  test('leaves no files when it is ended before all is written', async () => {
    const folder = folderForTest()
    const file = join(folder, 'day.bin')
    const args = ['stream', '--lake', market.lake, '--speed', '1', '--output', file]
    const child = spawn(process.execPath, ['bin/tapehouse.js', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stderr.on('data', text => {
      output += text
    })
    while (readdirSync(folder).length === 0 && child.exitCode === null)
      await new Promise(resolve => setTimeout(resolve, 20))
    expect(existsSync(file)).toBe(false)
    child.kill('SIGTERM')
    const code = await new Promise(resolve => child.once('close', resolve))
    expect([code, output, readdirSync(folder)]).toEqual([
      143,
      `${SYNTHETIC}tapehouse: the replay was interrupted before its end\n`,
      [],
    ])
  })

  test.each(['protobuf', 'json'])('ends quietly where a slow reader of %s stops', async format => {
    const command = `${process.execPath} bin/tapehouse.js stream --lake ${market.lake} --speed max --updates --format ${format}`
    const child = spawn('bash', ['-c', `set -o pipefail; ${command} | (sleep 1; head -c 1 | wc -c)`], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', text => {
        output += text
      })
    const code = await new Promise(resolve => child.once('close', resolve))
    expect([output.replace(SYNTHETIC, '').trim(), code]).toEqual(['1', 0])
  })

  const wrong: [args: string[], message: RegExp, code: number][] = [
    [['more'], /unexpected argument "more"/, 2],
    [['--date', '2024-02-30'], /--date must be a date such as 2024-12-31, not "2024-02-30"/, 2],
    [['--ticker', 'A,B'], /--ticker is "A,B", which is not a ticker: a letter, then up to 9 letters/, 2],
    [['--ticker', ''], /--ticker is "", which is not a ticker/, 2],
    [['--speed', '0'], /--speed must be max or a number above 0 up to 3600, such as 60, not "0"/, 2],
    [['--speed', '3601'], /--speed must be max/, 2],
    [['--speed', 'fast'], /--speed must be max/, 2],
    [['--format', 'csv'], /--format must be protobuf or json, not "csv"/, 2],
    [['--date', '1999-01-04'], /no chain_frags of 1999-01-04: specify a trading day from \S+ to /, 1],
    [['--ticker', 'NOSUCH'], /no frags of NOSUCH on /, 1],
  ]
  test.each(wrong)('%j fails with a message', async (args, message, code) => {
    const ended = await tapehouseHere(['stream', '--lake', market.lake, ...args])
    expect(ended.stderr).toMatch(message)
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect([ended.code, ended.stdout.length]).toEqual([code, 0])
  })

  test('on a lake without frags says how to make them', async () => {
    const lake = await makeLake(folderForTest(), { days: SMALL_DAYS })
    const ended = await tapehouseHere(['stream', '--lake', lake])
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(/tapehouse derive chain_frags/)])
  })

  test('refuses to write protobuf to a terminal, and says what to do', async () => {
    const log = join(folderForTest(), 'typescript')
    writeFileSync(log, '')
    const command = `${process.execPath} bin/tapehouse.js stream --lake ${market.lake}`
    const child = spawn('script', ['-qec', command, log], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', text => {
      output += text
    })
    const code = await new Promise(resolve => child.once('close', resolve))
    expect([output, code]).toEqual([
      expect.stringMatching(
        /protobuf cannot be written to a terminal: use --output FILE, a pipe or --format json/,
      ),
      2,
    ])
  })
})
