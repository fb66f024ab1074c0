import { setImmediate as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTurns } from '../../../src/engine/encode/turns.ts'

/** Steps that take a millisecond of the thread each. */
function* busySteps(count: number): Generator<number, string> {
  for (let step = 0; step < count; step += 1) {
    const until = performance.now() + 1
    while (performance.now() < until);
    yield step
  }
  return 'done'
}

const never = new AbortController().signal

test('long work pauses after each turn, and returns what its last step returns', async () => {
  const taken: number[] = []
  let pauses = 0
  const isShared = () => {
    pauses += 1
    return false
  }
  expect(await inTurns(busySteps(5), never, step => taken.push(step), isShared)).toBe('done')
  expect([taken, pauses]).toEqual([[0, 1, 2, 3, 4], 5])
})

test('between two turns, another callback of the event loop runs', async () => {
  for (const isShared of [() => false, () => true]) {
    const seen: string[] = []
    const work = inTurns(busySteps(3), never, step => seen.push(`step ${step}`), isShared)
    setImmediate(() => seen.push('another'))
    await work
    expect(seen.slice(0, 2)).toEqual(['step 0', 'another'])
  }
})

test('after a rest that is over at once, what has arrived comes first', async () => {
  // After this, timers that are due come before callbacks of the next pass.
  await pass()
  const seen: string[] = []
  const work = inTurns(
    busySteps(3),
    never,
    step => seen.push(`step ${step}`),
    () => true,
  )
  setImmediate(() => seen.push('another'))
  // The thread is held until the timer of the rest is due.
  queueMicrotask(() => void [...busySteps(5)])
  await work
  expect(seen.slice(0, 2)).toEqual(['step 0', 'another'])
})

test('work ends with the reason of its signal at the next turn', async () => {
  const controller = new AbortController()
  const work = inTurns(busySteps(1000), controller.signal)
  setImmediate(() => controller.abort(new Error('the client left')))
  await expect(work).rejects.toThrow('the client left')
})
