import { describe, expect, test } from 'vitest'
import { parseEach, refused, sentence, shown, unfit } from '../../../src/operations/parameters/problem.ts'

describe("a client's text in a message", () => {
  test.each([
    ['', '""'],
    ['a"b\n', '"a\\"b\\n"'],
    ['x'.repeat(60), `"${'x'.repeat(60)}"`],
    ['x'.repeat(61), `"${'x'.repeat(60)}…"`],
  ])('%j is shown as %s', (text, quoted) => {
    expect(shown(text)).toBe(quoted)
  })

  test('is part of the sentence that says what it is not', () => {
    expect(sentence('is blank')).toBe('is blank')
    expect(unfit('x', 'a ticker').problems.map(sentence)).toEqual(['is "x", which is not a ticker'])
  })
})

describe('several texts', () => {
  const even = (text: string) =>
    text === ''
      ? refused('is blank', 'is short')
      : Number(text) % 2 === 0
        ? { value: Number(text) }
        : Number(text) % 2 === 1
          ? unfit(text, 'even')
          : unfit(text, 'a number')

  test('have a value each', () => {
    expect(parseEach(['2', '4', '2'], even)).toEqual({ value: [2, 4, 2] })
    expect(parseEach([], even)).toEqual({ value: [] })
  })

  test.each([
    [['1', '2'], ['has "1", which is not even']],
    [['1', '2', '3'], ['has "1" and "3", neither of which is even']],
    [['1', '3', '5'], ['has "1", "3" and "5", none of which is even']],
    [['1', '3', '5', '7'], ['has "1", "3", "5" and "7", none of which is even']],
    [['1', '1'], ['has "1", which is not even']],
    [
      ['x', '1', 'y'],
      ['has "x" and "y", neither of which is a number', 'has "1", which is not even'],
    ],
    [
      ['', '1', ''],
      ['is blank', 'is short', 'has "1", which is not even'],
    ],
  ])('%j are refused with each problem once, those of one kind in one sentence', (texts, problems) => {
    expect(parseEach(texts, even)).toEqual({ problems })
  })
})
