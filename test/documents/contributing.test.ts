import { describe, expect, test } from 'vitest'
import { read } from '../house/source.ts'

const page = read('CONTRIBUTING.md')

describe('the heads of SQL files that CONTRIBUTING.md describes', () => {
  /** Labels of the tables below a heading; `<dataset>` and the like are placeholders of names. */
  const documented = (heading: string) => {
    const [, section = ''] = page.split(`### ${heading}`)
    return [...(section.split(/^##/m)[0] ?? '').matchAll(/^\| `-- ([a-z]+):` \|/gm)].map(
      ([, label = '']) => label,
    )
  }
  const labels = (file: string, ...patterns: readonly RegExp[]) =>
    patterns.flatMap(pattern =>
      [...read(file).matchAll(pattern)].flatMap(([, names = '']) => names.split('|')),
    )
  const CALLS = /\b(?:values|only)\('(\w+)'\)/g

  test.each([
    ['Schemas', labels('src/lake/store/schema.ts', /\bheader\(\d, '(\w+)'\)/g)],
    ['Derivations', labels('src/lake/store/derivation.ts', CALLS)],
    ['Import formats', labels('src/lake/import/format/format.ts', CALLS, /\^-- \(([a-z|]+)\): /g)],
    [
      'Templates of operations',
      labels('src/operations/answering/template-head.ts', /\b(?:only\(|label === )'(\w+)'/g),
    ],
  ])('%s: have each label that the program reads, and no other', (heading, known) => {
    expect(known.length).toBeGreaterThan(2)
    expect(documented(heading).toSorted()).toEqual([...new Set(known)].toSorted())
  })
})
