import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'
import { flatDay, makeLake, temporaryFolder } from '../fixtures/lake.ts'
import { tapehouseHere as tapehouse } from './in-process.ts'
import { serving } from './process.ts'

const folder = temporaryFolder()
let lake = ''
beforeAll(async () => {
  lake = await makeLake(folder, { days: [flatDay('ONE', '2024-01-02', '1')] })
  await makeLake(folder, { days: [flatDay('ONE', '2024-01-02', '2'), flatDay('TWO', '2024-01-02', '3')] })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await tapehouse([...args, '--lake', lake])
  return { code, out: stdout.toString(), err: stderr }
}

test('snapshots are listed, kept, compared, restored and released', async () => {
  expect(await run('snapshot', 'keep', 'before', '1')).toEqual({
    code: 0,
    out: 'Snapshot 1 is kept as before.\n',
    err: '',
  })
  const { out: table } = await run('snapshots')
  const [header, , first, second, third, fourth, ...rest] = table.split('\n')
  expect(header?.trim().split(/ {2,}/)).toEqual([
    'snapshot',
    'time',
    'made by',
    'kept',
    'dataset',
    'added',
    'replaced',
    'removed',
  ])
  expect(first).toMatch(/^ +1 {2}20\d\d-\S+Z {2}import daily-bars {2}before +daily_bars +1 +0 +0$/)
  expect(second?.trim()).toMatch(/^stock_days +1 +0 +0$/)
  expect(third).toMatch(/^ +2 {2}20\S+ {2}import daily-bars {2}\(current\) +daily_bars +1 +1 +0$/)
  expect(fourth?.trim()).toMatch(/^stock_days +1 +1 +0$/)
  expect(rest).toEqual([''])

  const { data } = JSON.parse((await run('snapshots', '--format', 'json')).out)
  expect(data).toMatchObject([
    { snapshot: 1, made_by: 'import daily-bars', current: false, kept_as: ['before'] },
    {
      snapshot: 2,
      current: true,
      kept_as: [],
      changes: { daily_bars: { added: 1, replaced: 1, removed: 0 } },
    },
  ])
  expect((await run('snapshots', '--format', 'csv')).out.split('\n')[1]).toMatch(
    /^1,20[^,]+Z,import daily-bars,false,before,daily_bars,1,0,0$/,
  )

  expect((await run('diff', 'before', '--format', 'csv')).out).toBe(
    'dataset,day,added,removed,changed\ndaily_bars,2024-01-02,1,0,1\nstock_days,2024-01-02,1,0,1\n',
  )
  expect(await run('snapshot', 'restore', 'before')).toEqual({
    code: 0,
    out: 'Snapshot 3 has the content of snapshot 1.\n',
    err: '',
  })
  expect(await run('diff', '1', '3')).toEqual({
    code: 0,
    out: '',
    err: 'Snapshots 1 and 3 have the same rows.\n',
  })
  expect((await run('diff', '1', '3', '--format', 'json')).out).toBe('{"data":[\n]}\n')
  expect((await run('snapshot', 'restore', '1')).out).toContain('Nothing to restore')
  const { out } = await run('vacuum', '--keep', '1', '--grace', '0')
  expect(out).toMatch(/Kept snapshots alone need \d+\.\d KiB\.\n$/)
  expect((await run('snapshot', 'release', 'before')).out).toContain('before is released')
})

test('imports are listed and undone', async () => {
  const { out: table, err } = await run('imports')
  const [header, , first, second, ...rest] = table.split('\n')
  expect(header?.trim().split(/ {2,}/)).toEqual(
    'import,time,format,file,rows,rejected,dataset,added,replaced,days,undone'.split(','),
  )
  expect(first).toMatch(
    /^ +1 {2}20\S+Z {2}daily-bars {2}daily-bars\.csv +1 +0 {2}daily_bars +1 +0 {2}2024-01-02 *$/,
  )
  expect(second).toMatch(
    /^ +2 {2}20\S+Z {2}daily-bars {2}daily-bars\.csv +2 +0 {2}daily_bars +1 +1 {2}2024-01-02 *$/,
  )
  expect([rest, err]).toEqual([[''], ''])
  // Its rows are gone since the restore.
  expect((await run('imports', 'undo', '2')).out).toBe('Import 2 is undone (daily_bars): snapshot 4.\n')
  const { data } = JSON.parse((await run('imports', '--format', 'json')).out)
  expect(data).toMatchObject([
    { import: 1, undone_by: null },
    {
      import: 2,
      format: 'daily-bars',
      files: [{ name: 'daily-bars.csv' }],
      rows: 2,
      rejected: 0,
      datasets: { daily_bars: { added: 1, replaced: 1, first_day: '2024-01-02', last_day: '2024-01-02' } },
      undone_by: 4,
    },
  ])
  expect(await run('imports', 'undo', '9')).toMatchObject({
    code: 1,
    err: `tapehouse: ${lake} has no import 9: "tapehouse imports" lists all\n`,
  })
  expect((await run('imports', 'undo')).code).toBe(2)
  expect((await run('imports', 'redo', '1')).err).toContain('unknown argument "redo"')
})

test.each([
  [['snapshot'], 2, /no action: specify keep, release or restore/],
  [['snapshot', 'kep'], 2, /unknown action "kep": did you mean keep\?/],
  [['snapshot', 'keep'], 2, /keep requires a name/],
  [['snapshot', 'keep', '12'], 2, /"12" cannot name a snapshot/],
  [['snapshot', 'keep', 'a', '99'], 1, /has no snapshot 99/],
  [['snapshot', 'release', 'a'], 1, /no snapshot is kept as "a"/],
  [['snapshot', 'restore', 'a'], 1, /no snapshot is kept as "a"/],
  [['snapshot', 'restore', 'A'], 2, /"A" is neither the number nor the name of a snapshot/],
  [['snapshots', 'x'], 2, /unexpected argument "x"/],
  [['snapshots', '--format', 'xml'], 2, /--format must be one of table, json, csv, not "xml"/],
  [['diff'], 2, /specify one or two snapshots/],
  [['diff', '99'], 1, /has no snapshot 99/],
])('%j is refused with one line', async (args, code, message) => {
  const ended = await run(...args)
  expect(ended.code).toBe(code)
  expect(ended.err).toMatch(message)
  expect(ended.err.trimEnd().split('\n')).toHaveLength(1)
})

test('query and stream read the selected snapshot, and serve serves only that one', async () => {
  const own = temporaryFolder()
  try {
    const selected = await makeLake(own, {
      days: [flatDay('ONE', '2024-01-02', '100'), flatDay('ONE', '2024-01-03', '110')],
    })
    await makeLake(own, { days: [flatDay('ONE', '2024-01-03', '120')] })
    const query = async (...args: string[]) => {
      const all = [
        '--symbols',
        'ONE',
        '--range',
        'full',
        '--calculations',
        'CUMULATIVE_RETURN',
        '--lake',
        selected,
      ]
      return tapehouse(['query', 'analytics-window', ...all, '--format', 'csv', ...args])
    }
    const current = (await query()).stdout.toString()
    const first = (await query('--snapshot', '1')).stdout.toString()
    expect([/0\.[12]/.exec(first)?.[0], /0\.[12]/.exec(current)?.[0]]).toEqual(['0.1', '0.2'])
    await tapehouse(['snapshot', 'keep', 'first', '1', '--lake', selected])
    expect((await query('--snapshot', 'first')).stdout.toString()).toBe(first)

    const tokens = join(own, 'tokens.json')
    const token = await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
    const server = await serving([
      '--lake',
      selected,
      '--tokens',
      tokens,
      '--workers',
      '1',
      '--snapshot',
      'first',
      '--allow-snapshots',
    ])
    expect(server.output()).toContain('(snapshot 1)')
    const ask = async (more = '') => {
      const response = await fetch(
        `${server.url}/api/analytics/window?symbols=ONE&range=full&calculations=CUMULATIVE_RETURN${more}`,
        { headers: { authorization: `Bearer ${token}`, accept: 'text/csv' } },
      )
      return [response.headers.get('x-tapehouse-snapshot'), await response.text()]
    }
    expect(await ask()).toEqual(['1', first])
    await makeLake(own, { days: [flatDay('ONE', '2024-01-04', '130')] })
    expect(await ask()).toEqual(['1', first])
    expect(await ask('&snapshot=2')).toEqual(['2', current])
    expect(await server.stop()).toBe(0)

    for (const { path } of (await loadSnapshot(selected, 1)).files('daily_bars')) rmSync(path)
    for (const args of [
      ['query', 'alerts', '--snapshot', 'first'],
      ['stream', '--format', 'json', '--snapshot', 'first'],
    ]) {
      const { code, stderr } = await tapehouse([...args, '--lake', selected])
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^tapehouse: the kept snapshot first cannot be read: [^\n]+\n$/),
      ])
    }
    await expect(
      serving(['--lake', selected, '--tokens', tokens, '--workers', '1', '--snapshot', 'first']),
    ).rejects.toThrow(/the kept snapshot first cannot be read/)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}, 60_000)
