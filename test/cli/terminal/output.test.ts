import { execFile, spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { importFiles } from '../../../src/lake/import/import.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { THREADS } from '../../fixtures/threads.ts'
import { running } from '../process.ts'

/** What only a process shows: pipes, full disks, signals and terminals. */

const command = fileURLToPath(new URL('../../../bin/tapehouse.js', import.meta.url))

const shell = (script: string, lake: string) =>
  promisify(execFile)('bash', ['-c', script], { env: { ...process.env, T: command, L: lake } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  )

test.each(['verify --lake $L', 'query congress-politicians --lake $L', '--help', 'info --lake $L'])(
  'a pipe that closes after a line ends %s without an error',
  { tags: 'slow' },
  async args => {
    const { code, stdout, stderr } = await shell(
      `set -o pipefail; node $T ${args} 2> >(grep -v '^verify: \\|^note: ' >&2) | head -1`,
      await sharedMarket('small'),
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^[^\n]+\n$/)
  },
)

test.each([
  'verify --lake $L',
  'query congress-politicians --lake $L',
  'query congress-politicians --lake $L --format json',
  'stream --lake $L',
  '--help',
])('a full disk ends %s with one line', { tags: 'slow' }, async args => {
  const { code, stderr } = await shell(`node $T ${args} > /dev/full`, await sharedMarket('small'))
  expect(code).toBe(1)
  expect(stderr.split('\n').filter(line => line !== '' && !/^(note|verify): /.test(line))).toEqual([
    'tapehouse: standard output cannot be written: ENOSPC: no space left on device, write',
  ])
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a command with one line and no staging folder',
  { tags: 'slow' },
  async signal => {
    const lake = join(folderForTest(), 'lake')
    const generating = running(['generate', '--lake', lake, '--days', '60', '--trades-per-day', '2000'])
    await generating.until(() => generating.output().includes('generate: '))
    expect(await generating.stop(signal)).toBe(signal === 'SIGINT' ? 130 : 143)
    expect(generating.output().split('\n').slice(-2)).toEqual([
      'tapehouse: interrupted: nothing unfinished is kept',
      '',
    ])
    expect(readdirSync(lake)).toEqual([])
  },
)

/** What a terminal of 100 columns receives. */
function onTerminal(args: readonly string[]): Promise<string> {
  const script = [
    'import fcntl, os, pty, struct, sys, termios',
    'pid, fd = pty.fork()',
    'if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])',
    'fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))',
    'try:',
    '    while data := os.read(fd, 65536): sys.stdout.buffer.write(data)',
    'except OSError: pass',
  ].join('\n')
  const child = spawn('python3', ['-c', script, process.execPath, command, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', chunk => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(Buffer.concat(chunks).toString().replaceAll('\r\n', '\n')))
  })
}

const EVIL = 'a\u001b]0;owned\u0007\u009b2J\u202etxt.exe\u2028z'

/** A lake with a post whose text has control characters. */
async function lakeWithPost(): Promise<string> {
  const folder = folderForTest()
  const lake = join(folder, 'lake')
  const file = join(folder, 'posts.json')
  writeFileSync(file, JSON.stringify([{ id: '1', date: '2024-01-03T15:00:00Z', content_text: EVIL }]))
  await importFiles({ format: 'posts', lake, inputs: [file], threads: THREADS, observe: () => {} })
  return lake
}

const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

test.each(['table', 'csv', 'json', 'ndjson'])(
  'no control character of a value reaches a terminal in %s',
  async format => {
    const lake = await lakeWithPost()
    const shown = await onTerminal(['query', 'potus-posts', '--format', format, '--lake', lake])
    expect(shown).toContain('owned')
    expect([...shown].filter(each => UNPRINTABLE.test(each))).toEqual([])
    if (format === 'json' || format === 'ndjson')
      expect(shown).toContain('\\u001B]0;owned\\u0007\\u009b2J\\u202etxt')
  },
)

test('a terminal gets wide records vertically, and no Parquet', { tags: 'slow' }, async () => {
  const lake = await sharedMarket('small')
  const wide = await onTerminal(['query', 'screener-option-contracts', '--lake', lake])
  expect(wide).toMatch(/\n?──── 1 ────\noption_symbol +\S+\nticker_symbol +\S+\n/)
  const narrow = await onTerminal(['query', 'oi-per-expiry', '--ticker', 'ACME', '--lake', lake])
  expect(narrow).toMatch(/expiry.*\n─+ {2}─+/)
  const parquet = await onTerminal(['query', 'congress-politicians', '--format', 'parquet', '--lake', lake])
  expect(parquet).toContain('parquet is not text: redirect it to a file, for example with > answer.parquet')
})
