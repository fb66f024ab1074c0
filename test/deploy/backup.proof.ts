import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { tapehouse } from '../cli/process.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { amount, countCases } from '../fixtures/tier.ts'
import { root } from '../house/source.ts'

const isInstalled = existsSync('/usr/bin/rsync')
const backup = (lake: string, copy: string) =>
  execFileSync(join(root, 'deploy/backup'), [lake, copy], { encoding: 'utf8', stdio: 'pipe' })
const succeed = async (args: readonly string[]) => {
  const { code, stdout, stderr } = await tapehouse(args)
  expect(`${code} ${stderr}`).toMatch(/^0 /)
  return stdout.toString()
}
/** A lake of this test alone, and a place for its copy. */
async function ownMarket() {
  const folder = folderForTest()
  const lake = join(folder, 'lake')
  cpSync(await sharedMarket('small'), lake, { recursive: true })
  return { folder, lake, copy: join(folder, 'copy') }
}
const current = (lake: string) => readFileSync(join(lake, 'CURRENT'), 'utf8').trim()

test.skipIf(!isInstalled)(
  'a lake that is backed up while imports replace its files is whole, and a restored copy answers as before (needs the package rsync)',
  async () => {
    const { folder, lake, copy } = await ownMarket()
    const query = (from: string) =>
      succeed([
        ...['query', 'analytics-window', '--symbols', 'ACME', '--range', 'full', '--calculations', 'MEAN'],
        ...['--format', 'json', '--lake', from],
      ])
    backup(lake, copy)
    expect(await query(copy)).toBe(await query(lake))

    // Each import replaces a row, and so the file of its partition.
    let importing = true
    const seen = new Set<string>()
    const writing = (async () => {
      for (let run = 1; importing; run += 1) {
        const file = join(folder, 'bars.csv')
        writeFileSync(file, `symbol,date,open,high,low,close,volume\nACME,2024-12-30,1,2,1,1.${run},10\n`)
        await succeed(['import', 'daily-bars', file, '--lake', lake])
      }
    })()
    try {
      for (let run = 0; run < amount({ test: 1, prove: 6, long: 50 }); run += 1) {
        backup(lake, copy)
        seen.add(current(copy))
        expect(await succeed(['verify', '--lake', copy])).toContain('verified')
        countCases(1)
      }
    } finally {
      importing = false
      await writing
    }
    expect(seen.size).toBeGreaterThan(1)

    // Restore: the lake is lost, and the copy takes its place.
    backup(lake, copy)
    const answer = await query(lake)
    rmSync(lake, { recursive: true })
    cpSync(copy, lake, { recursive: true })
    expect(await query(lake)).toBe(answer)
    expect(await succeed(['verify', '--lake', lake])).toContain('verified')
    // A restored lake takes further imports.
    await succeed(['import', 'daily-bars', join(folder, 'bars.csv'), '--force', '--lake', lake])
  },
  300_000,
)

/** A folder with an rsync that first imports, at the first so many of its calls, and then is the real one. */
function rsyncAfterImports(folder: string, lake: string, calls: number): string {
  const bin = join(folder, `bin-${calls}`)
  mkdirSync(bin)
  const script = `#!/bin/sh
set -eu
run=$(($(cat ${bin}/runs 2>/dev/null || echo 0) + 1))
echo "$run" > ${bin}/runs
if [ "$run" -le ${calls} ]; then
  printf 'symbol,date,open,high,low,close,volume\\nACME,2024-12-30,1,2,1,1.%s,10\\n' "$run" > ${folder}/bars.csv
  ${process.execPath} ${join(root, 'bin/tapehouse.js')} import daily-bars ${folder}/bars.csv --lake ${lake} >/dev/null 2>&1
fi
exec /usr/bin/rsync "$@"
`
  writeFileSync(join(bin, 'rsync'), script, { mode: 0o755 })
  return bin
}

test.skipIf(!isInstalled)(
  'a publish before or between the copies of a backup is copied whole (needs the package rsync)',
  async () => {
    const { folder, lake } = await ownMarket()
    for (const calls of [1, 2, 3]) {
      const copy = join(folder, `copy-${calls}`)
      const PATH = `${rsyncAfterImports(folder, lake, calls)}:${process.env.PATH}`
      execFileSync(join(root, 'deploy/backup'), [lake, copy], {
        stdio: 'pipe',
        env: { ...process.env, PATH },
      })
      expect(current(copy)).toBe(current(lake))
      expect(await succeed(['verify', '--lake', copy])).toContain('verified')
      countCases(1)
    }
  },
  300_000,
)

test.skipIf(!isInstalled)(
  'a backup waits for a publish that still moves its files (needs the package rsync)',
  async () => {
    const { lake, copy } = await ownMarket()
    mkdirSync(join(lake, '.publishing'))
    const journal = join(lake, '.publishing/1.json')
    writeFileSync(journal, '')
    const copying = spawn(join(root, 'deploy/backup'), [lake, copy], { stdio: 'ignore' })
    const ended = once(copying, 'exit')
    await sleep(1500)
    expect(existsSync(join(copy, 'snapshots'))).toBe(false)
    rmSync(journal)
    expect(await ended).toEqual([0, null])
    expect(await succeed(['verify', '--lake', copy])).toContain('verified')
    countCases(1)
  },
  120_000,
)

test.skipIf(!isInstalled)(
  'an upgraded lake is rolled back from its backup (needs the package rsync)',
  async () => {
    const folder = folderForTest()
    const lake = join(folder, 'lake')
    mkdirSync(lake)
    execFileSync('tar', ['-xzf', join(root, 'test/fixtures/lakes/0.1.0/lake.tar.gz'), '-C', lake])
    const copy = join(folder, 'copy')
    backup(lake, copy)
    const before = current(lake)
    // Derived days of an earlier version are stale, so that the exit code is 1; the checksums are printed all the same.
    const verified = (await tapehouse(['verify', '--lake', lake])).stdout.toString()
    expect(verified).toMatch(/^daily_bars +\d+ rows +[0-9a-f]{16}$/m)
    expect((await tapehouse(['verify', '--lake', copy])).stdout.toString()).toBe(verified)
    await succeed(['upgrade-lake', '--lake', lake])
    expect(current(lake)).not.toBe(before)
    rmSync(lake, { recursive: true })
    cpSync(copy, lake, { recursive: true })
    expect(current(lake)).toBe(before)
    expect((await tapehouse(['verify', '--lake', lake])).stdout.toString()).toBe(verified)
  },
  120_000,
)
