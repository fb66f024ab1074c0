import { expect, test } from 'vitest'
import { openPace } from '../../../src/api/socket/pace.ts'

/** A pace whose clients read, or do not. */
function paceOf(reading: boolean) {
  let questions = 0
  const pace = openPace(() => {
    questions += 1
    return reading
  })
  return { ...pace, questions: () => questions }
}

test('a feed that keeps up delivers what is due without regard to its clients', () => {
  const { tick, until, reach, questions } = paceOf(false)
  tick(1000)
  reach(1000)
  for (const now of [1050, 1100, 1150]) {
    tick(now)
    expect(until()).toBe(now)
    reach(now)
  }
  expect(questions()).toBe(0)
})

test('a feed that is behind delivers only what passes, until its clients read', () => {
  const idle = paceOf(false)
  idle.tick(1000)
  // The first slice begins at 1000 and is loaded at 6000.
  for (const now of [3000, 6000]) idle.tick(now)
  idle.reach(1000)
  idle.tick(6050)
  expect(idle.until()).toBe(1050)
  idle.reach(1050)
  idle.tick(6100)
  expect(idle.until()).toBe(1100)

  const reading = paceOf(true)
  reading.tick(1000)
  reading.reach(1000)
  reading.tick(6000)
  expect(reading.until()).toBe(6000)
})

test('what the limit of a tick holds back is not due at the next one', () => {
  const { tick, until, reach } = paceOf(false)
  tick(1000)
  reach(1000)
  tick(9000)
  expect(until()).toBe(9000)
  // The limit ended at 2000. While the clock stands, nothing more passes.
  reach(2000)
  tick(9000)
  expect(until()).toBe(2000)
  tick(9050)
  expect(until()).toBe(2050)
})
