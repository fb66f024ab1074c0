import { expect, test } from 'vitest'
import { filesBelow, read } from './source.ts'

test.each(filesBelow('spelling', '.txt'))('%s is sorted and has no word twice', path => {
  const words = read(path)
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
  expect(words.length).toBeGreaterThan(0)
  const key = (word: string) => word.toLowerCase()
  const sorted = words.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
  expect(words.map(key)).toEqual([...new Set(sorted.map(key))])
})
