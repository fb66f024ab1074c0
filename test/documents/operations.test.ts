import { describe, expect, test } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { read } from '../house/source.ts'

const page = read('docs/operations.md')
const [, contents = ''] = /^## Contents\n(.*?)^## /ms.exec(page) ?? []

describe('docs/operations.md', () => {
  test('begins with a table of contents that fits on two screens', () => {
    expect(page.slice(0, page.indexOf('## Contents')).split('\n').length).toBeLessThan(10)
    expect(contents.split('\n').length).toBeLessThan(90)
  })

  test('lists each operation once, below its subject', () => {
    const listed = contents.split(/^(?=\*\*\[)/m).flatMap(group => {
      const [, subject] = /^\*\*\[([^\]]+)\]/.exec(group) ?? []
      return [...group.matchAll(/^- \[([^\]]+)\]\(#[^)]+\): `([\w-]+)`, `([^`]+)`$/gm)].map(
        ([, summary, id, path]) => ({ subject, summary, id, path }),
      )
    })
    const expected = operations.map(({ subject, summary, id, path }) => ({ subject, summary, id, path }))
    const byId = (one: { id?: string }, other: { id?: string }) =>
      (one.id ?? '') < (other.id ?? '') ? -1 : 1
    expect(listed.toSorted(byId)).toEqual(expected.toSorted(byId))
  })

  test.each([
    ['open interest by expiry', 'oi-per-expiry'],
    ['greeks by strike', 'greeks'],
    ['holdings of an ETF', 'etf-holdings'],
    ['trades of an option contract', 'contract-flow'],
    ['insiders of a company', 'insiders'],
    ['exchange rate', 'forex-rate'],
  ])('has %j in its table of contents', (words, id) => {
    const lines = contents.split('\n').filter(line => line.toLowerCase().includes(words.toLowerCase()))
    expect(lines.some(line => line.includes(`\`${id}\``))).toBe(true)
  })

  test('has the section of each operation below the heading of its subject', () => {
    const found = page
      .slice(page.indexOf(contents) + contents.length)
      .split(/^## /m)
      .flatMap(part =>
        [...part.matchAll(/^`GET [^`]+`, `tapehouse query ([\w-]+)`$/gm)].map(([, id = '']) => [
          id,
          part.split('\n', 1)[0],
        ]),
      )
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(operations.map(({ id, subject }) => [id, subject])),
    )
  })
})
