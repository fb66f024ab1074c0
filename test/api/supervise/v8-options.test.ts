import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'rolldown'
import { expect, test } from 'vitest'

const OPTIONS = fileURLToPath(new URL('../../../src/api/supervise/v8-options.ts', import.meta.url))

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

const built = build({ input: OPTIONS, platform: 'node', write: false })

/** What a program prints that runs after `begin`, which may call what the module exports. */
async function run(begin: string, program: string, flags: readonly string[] = []): Promise<string> {
  const { output } = await built
  const script = `${output[0].code.replace(/^export .*$/m, '')}\n${begin}\n${program}`
  const all = ['--expose-gc', '--max-semi-space-size=8', ...flags, '--input-type=module', '--eval', script]
  return (await promisify(execFile)(process.execPath, all)).stdout
}

/** How many times as large the old objects become. */
async function growth(begin: string): Promise<number> {
  const [before = 0, most = 0] = (await run(begin, PROGRAM)).split(' ').map(Number)
  return most / before
}

// In use are 1.5 times as many.
test('a heap that was marked while many objects were made does not grow to a multiple', async () => {
  expect(await growth('')).toBeGreaterThan(4)
  expect(await growth('setV8Options()')).toBeLessThan(3)
})

/** Prints how many calls of a function come before it is compiled by the optimizing compiler. */
const CALLS = `
  const digits = n => {
    let sum = 0
    for (const digit of String(n)) sum += Number(digit)
    return sum
  }
  const isOptimized = () => (%GetOptimizationStatus(digits) & 64) !== 0
  let calls = 0
  while (!isOptimized() && calls < 1_000_000) digits(calls++)
  console.log(calls)`

// Versions after Node.js 20 count calls only, which is left as it is.
test('functions of Node.js 20 are compiled in less than half of the calls', async () => {
  const calls = async (begin: string) =>
    Number(await run(begin, CALLS, ['--allow-natives-syntax', '--no-concurrent-recompilation']))
  const most = (await calls('')) * (process.versions.v8.startsWith('11.') ? 0.5 : 1)
  expect(await calls('setV8Options()')).toBeLessThanOrEqual(most)
})

const YOUNG = `
  gc()
  const kept = []
  for (let round = 0; round < 3000; round += 1)
    kept[round % 100] = Array.from({ length: 1000 }, (_, index) => ({ index, numbers: [index] }))`

/** The most tasks of a collection of young objects. V8 writes a line for each task, and then one for the collection. */
async function tasksAtMost(begin: string): Promise<number> {
  const all = await run(begin, YOUNG, ['--trace-gc', '--trace-parallel-scavenge'])
  // Node.js may have collected some at its start.
  const collections = all.slice(all.indexOf(' Mark-Compact ')).split(' Scavenge ').slice(0, -1)
  return Math.max(...collections.map(lines => lines.split(' scavenge[').length - 1))
}

test('young objects are collected by one thread', async () => {
  // On a machine that is busy, one thread may do the work of all before they wake.
  let usual = 0
  for (let tries = 0; tries < 10 && usual <= 2; tries += 1) usual = await tasksAtMost('')
  expect(usual).toBeGreaterThan(2)
  // V8 of Node.js 26 may begin the only task twice.
  expect(await tasksAtMost('setV8Options()')).toBeOneOf([1, 2])
})
