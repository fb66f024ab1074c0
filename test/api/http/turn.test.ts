import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTurn } from '../../../src/api/http/turn.ts'

/** Looks that have a number each. */
function numbered() {
  const turn = openTurn()
  let looks = 0
  const look = turn.once(() => {
    looks += 1
    return looks
  })
  return { turn, look }
}

test('looks once in a turn in which requests are read', async () => {
  const { turn, look } = numbered()
  for (const expected of [1, 2]) {
    turn.begin()
    turn.begin()
    expect([look(), look(), look()]).toEqual([expected, expected, expected])
    await setImmediate()
  }
})

test('looks each time when no request was read, so that the next turn does not begin with what was seen before it', async () => {
  const { turn, look } = numbered()
  turn.begin()
  turn.atEnd(() => look())
  expect(look()).toBe(1)
  // At the end of the turn it looks for a request that has waited.
  await setImmediate()
  turn.begin()
  expect(look()).toBe(3)
  await setImmediate()
  expect([look(), look()]).toEqual([4, 5])
})

test('what was thrown is not kept', () => {
  const turn = openTurn()
  let looks = 0
  const look = turn.once(() => {
    looks += 1
    if (looks === 1) throw new Error('not now')
    return looks
  })
  turn.begin()
  expect(look).toThrow('not now')
  expect(look()).toBe(2)
})

test('sends when all requests of the turn have been looked at, and what is added meanwhile in the next turn', async () => {
  const turn = openTurn()
  const steps: string[] = []
  const send = (name: string) => turn.atEnd(() => void steps.push(`${name} sent`))
  for (const name of ['one', 'two']) {
    turn.begin()
    steps.push(`${name} looked at`)
    send(name)
  }
  turn.atEnd(() => send('three'))
  await setImmediate()
  expect(steps).toEqual(['one looked at', 'two looked at', 'one sent', 'two sent'])
  await setImmediate()
  expect(steps.at(-1)).toBe('three sent')
})
