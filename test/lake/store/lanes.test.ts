import { expect, test } from 'vitest'
import { Backlog, shareOut } from '../../../src/lake/store/lanes.ts'

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

test('after a failure no item starts, and running ones end', async () => {
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

test('a backlog starts tasks in order, and the promise of each resolves when it is done', async () => {
  const backlog = new Backlog(['a', 'b'])
  const events: string[] = []
  const first = backlog.add(async lane => {
    events.push(`first begins on ${lane}`)
    await soon()
    await soon()
    events.push('first ends')
  })
  const second = backlog.add(async lane => {
    events.push(`second begins on ${lane}`)
    await first.done
    events.push('second ends')
  })
  backlog.add(async lane => {
    events.push(`third begins on ${lane}`)
  })
  await second.done
  await backlog.done()
  expect(events).toEqual([
    'first begins on a',
    'second begins on b',
    'first ends',
    'second ends',
    'third begins on a',
  ])
})

test('an idle lane runs tasks that are added later', async () => {
  const backlog = new Backlog(['a'])
  const lanes: string[] = []
  const note = async (lane: string) => {
    lanes.push(lane)
  }
  await backlog.add(note).done
  await soon()
  await backlog.add(note).done
  await backlog.done()
  expect(lanes).toEqual(['a', 'a'])
})

test('who helps does what waits until few enough do, and leaves the rest to the lanes', async () => {
  const backlog = new Backlog(['a'])
  const by: string[] = []
  let open = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  for (let work = 0; work < 5; work += 1)
    backlog.add(async lane => {
      by.push(`${work} on ${lane}`)
      if (lane === 'a') await gate
    })
  await backlog.reduce('helper', 2)
  expect(by).toEqual(['0 on a', '1 on helper', '2 on helper'])
  open()
  await backlog.done()
  expect(by.slice(3)).toEqual(['3 on a', '4 on a'])
})

test('without lanes all is left to who helps', async () => {
  const backlog = new Backlog<string>([])
  const by: string[] = []
  for (let work = 0; work < 2; work += 1)
    backlog.add(async lane => {
      by.push(lane)
    })
  await backlog.done()
  expect(by).toEqual([])
  await backlog.reduce('helper', 0)
  expect(by).toEqual(['helper', 'helper'])
})

test('a failure ends a backlog: nothing more is begun, and helpers, dependents and the end meet it', async () => {
  const backlog = new Backlog(['a', 'b'])
  const begun: string[] = []
  const failing = backlog.add(async () => {
    await soon()
    throw new Error('it failed')
  })
  const dependent = backlog.add(async () => {
    await failing.done
  })
  backlog.add(async () => {
    begun.push('waited')
  })
  await expect(dependent.done).rejects.toThrow('it failed')
  backlog.add(async () => {
    begun.push('added later')
  })
  await expect(backlog.reduce('helper', 0)).rejects.toThrow('it failed')
  await expect(backlog.done()).rejects.toThrow('it failed')
  await backlog.abandon()
  expect(begun).toEqual([])
})

test('a task that throws before it returns a promise fails as any other', async () => {
  const backlog = new Backlog(['a'])
  const failing = backlog.add(() => {
    throw new Error('at once')
  })
  await expect(failing.done).rejects.toThrow('at once')
  await expect(backlog.done()).rejects.toThrow('at once')
})

test('an abandoned backlog ends its running tasks and starts no others', async () => {
  const backlog = new Backlog(['a'])
  const events: string[] = []
  for (const work of ['first', 'second'])
    backlog.add(async () => {
      events.push(`${work} begins`)
      await soon()
      events.push(`${work} ends`)
    })
  await backlog.abandon()
  expect(events).toEqual(['first begins', 'first ends'])
})
