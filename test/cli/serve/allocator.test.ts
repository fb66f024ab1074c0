import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installedAllocator } from '../../../src/api/supervise/allocator.ts'
import { folderForTest, makeLake, SMALL_DAYS } from '../../fixtures/lake.ts'
import { serving } from '../process.ts'

const library = installedAllocator(process)

/** Whether a process has the library in its memory, as the kernel says. */
const hasLibrary = (pid: number | undefined) =>
  readFileSync(`/proc/${pid}/maps`, 'utf8').includes('/libjemalloc.so.2')

test.skipIf(library === null)(
  'workers, and no supervisor, take their memory from jemalloc, unless LD_PRELOAD says otherwise (needs the package libjemalloc2)',
  async () => {
    const folder = folderForTest()
    const lake = await makeLake(folder, { days: SMALL_DAYS })
    for (const [env, isUsed] of [
      [{}, true],
      [{ LD_PRELOAD: '' }, false],
    ] as const) {
      const tokens = join(folder, 'tokens.json')
      const server = await serving(['--workers', '1', '--lake', lake, '--tokens', tokens], env)
      const worker = /"workerPid":(\d+),"msg":"worker_started"/.exec(server.output())?.[1]
      expect([hasLibrary(server.process.pid), hasLibrary(Number(worker))]).toEqual([false, isUsed])
      const listening =
        server
          .output()
          .split('\n')
          .find(line => line.endsWith('"msg":"listening"}')) ?? ''
      expect(JSON.parse(listening).preloaded).toBe(isUsed ? library : undefined)
      await server.stop()
    }
  },
)

test('there is no allocator for a system whose dynamic linker is another', () => {
  expect(installedAllocator({ platform: 'darwin', arch: process.arch })).toBe(null)
  expect(installedAllocator({ platform: 'win32', arch: process.arch })).toBe(null)
})
