import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandNames } from '../../src/cli/commands.ts'
import { folderForTest, makeLake, SMALL_DAYS, temporaryFolder } from '../fixtures/lake.ts'
import { tapehouseHere as tapehouse } from './in-process.ts'
import { tapehouse as tapehouseProcess } from './process.ts'

const folder = temporaryFolder()
let lake = ''
beforeAll(async () => {
  lake = await makeLake(folder, { days: SMALL_DAYS })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const line = (text: string) => {
  expect(text.trimEnd().split('\n')).toHaveLength(1)
  return text
}
const QUERY = [
  'query',
  'analytics-window',
  '--symbols',
  'ONE,TWO',
  '--range',
  'full',
  '--calculations',
  'MAX_DRAWDOWN',
]

describe('help', () => {
  test.each([...commandNames])('of %s shows its usage and an example, and exits with 0', async name => {
    const { code, stdout, stderr } = await tapehouse([name, '--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.toString()).toContain(`Usage: tapehouse ${name}`)
    expect(stdout.toString()).toContain('Examples:')
    for (const row of stdout.toString().split('\n')) expect(row.length).toBeLessThanOrEqual(120)
  })

  test('of the program names every command', async () => {
    const { code, stdout } = await tapehouse(['--help'])
    expect(code).toBe(0)
    for (const name of commandNames) expect(stdout.toString()).toContain(`  ${name}`)
    expect((await tapehouse([])).code).toBe(2)
    expect((await tapehouse(['--version'])).stdout.toString()).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('of a query lists the parameters of its operation', async () => {
    const { stdout } = await tapehouse(['query', 'analytics-window', '--help'])
    for (const flag of ['--symbols', '--range-end', '--calculations', '--format', '--sql'])
      expect(stdout.toString()).toContain(flag)
  })
})

describe('a usage error', () => {
  const wrong: [args: string[], message: RegExp][] = [
    [['serv'], /unknown command "serv": did you mean serve\?/],
    [['query'], /no operation: specify one of alerts/],
    [['query', 'analytics'], /unknown operation "analytics": did you mean analytics-window\?/],
    [[...QUERY, '--symbls', 'X'], /unknown flag --symbls: did you mean --symbols\?/],
    [[...QUERY, 'more'], /unexpected argument "more": pass parameters as flags/],
    [[...QUERY, '--format', 'xml'], /--format must be table, json/],
    [[...QUERY, '--symbols', 'THREE'], /symbols is given 2 times/],
    [[...QUERY, '--lake', 'a', '--lake', 'b'], /--lake occurs 2 times: specify it once/],
    [[...QUERY, '--memory-mib', '1e3'], /--memory-mib must be a whole number from 64/],
    [
      ['query', 'analytics-window', '--symbols', '$', '--range', 'x'],
      /symbols has "\$".*range is "x".*calculations is required/,
    ],
    [['import'], /no files to import: specify files or folders/],
    [['import', 'daily-bar', 'x'], /unknown format "daily-bar": did you mean daily-bars\?/],
    [['import', 'daily-bars'], /no files to import: specify files or folders/],
    [['token'], /no action: specify create, list or revoke/],
    [['token', 'make'], /unknown action "make": specify one of create, list, revoke/],
    [['token', 'create'], /requires --name/],
    [['token', 'create', '--name', 'x', '--expires', 'soon'], /--expires must be like 90d/],
    [['token', 'create', '--name', 'x', '--expires', '2025-02-30'], /--expires must be like 90d/],
    [['vacuum', '--keep', '0'], /--keep must be a whole number from 1/],
    [['compact', 'everything'], /unexpected argument "everything": compact takes only flags/],
    [['adopt'], /requires exactly one folder/],
    [['serve', '--port', '70000'], /--port must be a whole number from 0 to 65535/],
    [['serve', '--port'], /--port requires a value/],
    [
      ['serve', '--cors-origins', 'https://a.example.org/'],
      /--cors-origins must be \* or origins such as .*a\.example\.org\/"/,
    ],
    [
      ['serve', '--cors-origins', 'http://localhost:1,localhost'],
      /--cors-origins must be .* not "localhost"/,
    ],
    [['serve', '--cors-origins', 'https://A.example.org'], /--cors-origins must be .* not "https:\/\/A\./],
    [['serve', '--cors-origins', ','], /--cors-origins must be .* not ""/],
    [['serve', '--log-level', 'loud'], /--log-level must be one of debug/],
  ]
  test.each(wrong)('%j', async (args, message) => {
    const { code, stderr, stdout } = await tapehouse(args)
    expect(line(stderr)).toMatch(/^tapehouse: /)
    expect(stderr).toMatch(message)
    expect(stdout.toString()).toBe('')
    expect(code).toBe(2)
  })

  test('can also be in the environment', async () => {
    const { code, stderr } = await tapehouse(QUERY, { TAPEHOUSE_LAKE: lake, TAPEHOUSE_MEMORY_MIB: 'much' })
    expect(line(stderr)).toContain('TAPEHOUSE_MEMORY_MIB must be a whole number')
    expect(code).toBe(2)
  })
})

describe('a query', () => {
  test('prints a table, and takes the lake from the environment', async () => {
    const { stdout, code } = await tapehouse(QUERY, { TAPEHOUSE_LAKE: lake })
    expect(code).toBe(0)
    const [header = '', , ...rows] = stdout.toString().trimEnd().split('\n')
    expect(header.trim().split(/\s{2,}/)).toContain('symbol')
    expect(rows.map(row => row.trim().split(/\s{2,}/))).toEqual([
      [
        'MAX_DRAWDOWN',
        'ONE',
        '2024-01-03T00:00:00Z',
        '2024-01-04T00:00:00Z',
        expect.stringMatching(/^-0\.(1|09)\d*$/),
      ],
      [
        'MAX_DRAWDOWN',
        'TWO',
        '2024-01-02T00:00:00Z',
        '2024-01-04T00:00:00Z',
        expect.stringMatching(/^-0\.(1|09)\d*$/),
      ],
    ])
  })

  test('prints SQL that any DuckDB client runs', async () => {
    const { stdout } = await tapehouse([...QUERY, '--lake', lake, '--sql'])
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const rows = await (await connection.run(stdout.toString())).getRowObjectsJson()
    expect(rows.map(({ symbol, price }) => [symbol, price])).toEqual([
      ...[100, 110, 99, 108.9].map(price => ['ONE', price]),
      ...[50, 45, 54].map(price => ['TWO', price]),
    ])
    connection.closeSync()
    instance.closeSync()
  })

  test('on a folder without a lake advises what to do', async () => {
    const { code, stderr } = await tapehouse([...QUERY, '--lake', join(folder, 'nowhere')])
    expect(line(stderr)).toMatch(/no lake.*tapehouse import/)
    expect(code).toBe(1)
  })
})

describe('tokens', () => {
  test('are shown once, stored as digests with mode 0600, listed and revoked', async () => {
    const file = join(folderForTest(), 'deep', 'tokens.json')
    const created = await tapehouse([
      'token',
      'create',
      '--name',
      'one',
      '--routes',
      'analytics-window',
      '--owner',
      'me',
      '--expires',
      '90d',
      '--tokens',
      file,
    ])
    const token = created.stdout.toString().trim()
    expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    expect(readFileSync(file, 'utf8')).not.toContain(token)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const listed = (await tapehouse(['token', 'list'], { TAPEHOUSE_TOKENS: file })).stdout.toString()
    expect(listed).toMatch(/^one\tanalytics-window\tme\tcreated 2\S+\texpires 2\S+\n$/)
    expect(listed).not.toContain(token)
    const again = await tapehouse(['token', 'create', '--name', 'one', '--tokens', file])
    expect([again.code, line(again.stderr)]).toEqual([
      2,
      expect.stringContaining('a token named one exists already'),
    ])
    expect((await tapehouse(['token', 'revoke', 'one', '--tokens', file])).code).toBe(0)
    expect((await tapehouse(['token', 'list', '--tokens', file])).stdout.toString()).toBe('')
    expect((await tapehouse(['token', 'revoke', 'one', '--tokens', file])).code).toBe(2)
  })

  test('created at the same time are all stored', async () => {
    const file = join(folderForTest(), 'tokens.json')
    const names = ['a', 'b', 'c', 'd']
    await Promise.all(
      names.map(name => tapehouseProcess(['token', 'create', '--name', name, '--tokens', file])),
    )
    const { tokens } = JSON.parse(readFileSync(file, 'utf8')) as { tokens: { name: string }[] }
    expect(tokens.map(({ name }) => name).toSorted()).toEqual(names)
  })

  test('are not written to a file that is not a tokens file', async () => {
    const file = join(folderForTest(), 'tokens.json')
    writeFileSync(file, 'not json')
    const { code, stderr } = await tapehouse(['token', 'create', '--name', 'x', '--tokens', file])
    expect(line(stderr)).toMatch(/tokens file .*tokens\.json cannot be read/)
    expect(code).toBe(1)
    expect(readFileSync(file, 'utf8')).toBe('not json')
    expect(existsSync(`${file}.lock`)).toBe(false)
  })
})

describe('the commands on a lake', () => {
  test('import, verify, compact and vacuum report what they did', async () => {
    const own = join(folderForTest(), 'lake')
    const sample = ['import', 'daily-bars', 'data/samples/daily-bars/daily-bars.csv', '--lake', own]
    const first = await tapehouse(sample)
    expect(first.stdout.toString()).toMatch(
      /^Imported 40 rows from 1 file: snapshot 1, \d+\.\d s\.\n {2}daily_bars {2}40 rows, 10 days from 2024-03-01 to 2024-03-14, 4 tickers \(ACME, BOLT, CORK, DUNE\)\n {2}derived {5}stock_days 10 days, price_adjustments 10 days\n$/,
    )
    expect((await tapehouse(sample)).stdout.toString()).toBe(
      'Nothing new in 1 file: snapshot 1 is unchanged.\n',
    )
    expect((await tapehouse(['verify', '--lake', own])).stdout.toString()).toMatch(
      /^daily_bars +40 rows +[0-9a-f]{16}\nstock_days +40 rows +[0-9a-f]{16}\nSnapshot 1: \d+ files? verified\.\n$/,
    )
    expect((await tapehouse(['derive', '--lake', own])).stdout.toString()).toBe(
      'Nothing to derive: snapshot 1 is unchanged.\n',
    )
    expect((await tapehouse(['derive', 'stock_days', '--afresh', '--lake', own])).stdout.toString()).toMatch(
      /^stock_days: \d+ days computed\nSnapshot 2\.\n$/,
    )
    expect((await tapehouse(['compact', '--lake', own])).code).toBe(0)
    expect((await tapehouse(['vacuum', '--lake', own])).stdout.toString()).toMatch(/^Deleted 0 files/)
  })

  test('verify reports a damaged file and fails', async () => {
    const own = folderForTest()
    const damaged = await makeLake(own, { days: SMALL_DAYS })
    const { files } = JSON.parse(readFileSync(manifestOf(damaged), 'utf8')) as { files: { name: string }[] }
    const path = join(damaged, String(files[0]?.name))
    const bytes = readFileSync(path)
    bytes[10] = (bytes[10] ?? 0) ^ 1
    rmSync(path)
    writeFileSync(path, bytes)
    const { code, stderr } = await tapehouse(['verify', '--lake', damaged])
    expect(stderr).toContain(String(files[0]?.name))
    expect(code).toBe(1)
  })

  test('import into a folder with other files is rejected', async () => {
    const own = join(folderForTest(), 'pictures')
    mkdirSync(own)
    writeFileSync(join(own, 'cat.jpg'), 'meow')
    const { code, stderr } = await tapehouse([
      'import',
      'daily-bars',
      'data/samples/daily-bars/daily-bars.csv',
      '--lake',
      own,
    ])
    line(stderr)
    expect(code).toBe(1)
  })
})

function manifestOf(folder: string): string {
  const snapshot = JSON.parse(readFileSync(join(folder, 'snapshots', '1.json'), 'utf8')) as {
    datasets: { stock_days: { partitions: Record<string, string> } }
  }
  return join(folder, String(Object.values(snapshot.datasets.stock_days.partitions)[0]))
}

describe('generate and derive', () => {
  test.each([
    [['generate', 'now'], /unexpected argument "now": generate takes only flags/],
    [['generate', '--days', '0'], /--days must be a whole number from 1 to 2520, not "0"/],
    [
      ['generate', '--trades-per-day', '1e5'],
      /--trades-per-day must be a whole number from 400 to 50000000, not "1e5"/,
    ],
    [['derive', 'contract_day'], /unknown derived dataset "contract_day": did you mean contract_days\?/],
    [['derive', '--date', '2024-02-30'], /--date must be a date such as 2024-12-31, not "2024-02-30"/],
  ])('%j is rejected in one line', async (args, message) => {
    const { code, stderr } = await tapehouse([...args, '--lake', folderForTest()])
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd()).not.toContain('\n')
  })

  test('imported data is never replaced by generated data', async () => {
    const lake = await makeLake(folderForTest(), { days: SMALL_DAYS })
    const before = (await tapehouse(['verify', '--lake', lake])).stdout.toString()
    const { code, stderr } = await tapehouse(['generate', '--days', '1', '--tickers', '3', '--lake', lake])
    expect(code).toBe(2)
    expect(stderr).toMatch(/holds imported data: generate into another folder/)
    expect((await tapehouse(['verify', '--lake', lake])).stdout.toString()).toBe(before)
  })
})
