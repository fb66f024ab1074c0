import { expect, test } from 'vitest'
import { shareOut } from '../../src/lake/lanes.ts'

const soon = () => new Promise(resolve => setTimeout(resolve, 1))

test('each item is worked on once, in their order, by each lane one at a time', async () => {
  const begun: number[] = []
  const busy = new Set<string>()
  const by = new Map<string, number>()
  await shareOut(['a', 'b'], [0, 1, 2, 3, 4, 5, 6], async (lane, item) => {
    expect(busy.has(lane)).toBe(false)
    busy.add(lane)
    begun.push(item)
    by.set(lane, (by.get(lane) ?? 0) + 1)
    await soon()
    busy.delete(lane)
  })
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect([...by.values()].toSorted()).toEqual([3, 4])
})

test('after a failure no item is begun, and what is under way comes to its end', async () => {
  const begun: number[] = []
  const ended: number[] = []
  const work = shareOut(['a', 'b'], [0, 1, 2, 3], async (_, item) => {
    begun.push(item)
    if (item === 0) throw new Error('first')
    await soon()
    ended.push(item)
    throw new Error('second')
  })
  await expect(work).rejects.toThrow('first')
  expect({ begun, ended }).toEqual({ begun: [0, 1], ended: [1] })
})

test('without items nothing is done', async () => {
  await shareOut(['a'], [], () => Promise.reject(new Error('never')))
})
