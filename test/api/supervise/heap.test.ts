import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'rolldown'
import { expect, test } from 'vitest'

const HEAP = fileURLToPath(new URL('../../../src/api/supervise/heap.ts', import.meta.url))

/**
 * Makes many objects at once, marks the heap, and goes on with objects that live for a while: half as many at a time. Prints
 * the MiB of old objects before them, and at most.
 */
const PROGRAM = `
  import { getHeapSpaceStatistics } from 'node:v8'
  const old = () =>
    getHeapSpaceStatistics().find(space => space.space_name === 'old_space').space_used_size / 2 ** 20
  const first = Array.from({ length: 400_000 }, (_, index) => ({ index, numbers: [index] }))
  gc()
  const before = old()
  let most = 0
  const later = []
  for (let n = 0; n < 6_000_000; n += 1) {
    later[n % 200_000] = { index: n, numbers: [n] }
    if (n % 20_000 === 0) most = Math.max(most, old())
  }
  console.log(before, most, first.length)`

/** How many times as large the old objects become. */
async function growth(begin: string): Promise<number> {
  const { output } = await build({ input: HEAP, platform: 'node', write: false })
  const flags = ['--expose-gc', '--max-semi-space-size=8', '--input-type=module']
  const script = `${output[0].code.replace(/^export .*$/m, '')}\n${begin}\n${PROGRAM}`
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', script])
  const [before = 0, most = 0] = stdout.split(' ').map(Number)
  return most / before
}

// In use are 1.5 times as many.
test('a heap that was marked while many objects were made does not grow to a multiple', async () => {
  expect(await growth('')).toBeGreaterThan(4)
  expect(await growth('limitHeapGrowth()')).toBeLessThan(3)
})
