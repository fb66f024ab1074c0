import { describe, expect, test } from 'vitest'
import { ENUMERATIONS } from '../../src/market/enumerations.ts'
import { enumerationNotes, present, specifiedEnumerations } from '../operations/specification/documents.ts'

describe('the shared enumerations', () => {
  test.each(Object.entries(ENUMERATIONS))('%s counts from 0 without a gap', (_, { values }) => {
    const numbers = Object.values(values)
    expect(numbers).toEqual(numbers.map((_, index) => index))
  })

  test.each(Object.entries(ENUMERATIONS))(
    '%s writes each value by a text of its own',
    (_, { values, shown }) => {
      if (shown === undefined) return
      expect(Object.keys(shown)).toEqual(Object.keys(values))
      expect(new Set(Object.values(shown)).size).toBe(Object.keys(values).length)
    },
  )

  test.each(Object.entries(ENUMERATIONS))('%s writes each value as it is named', (_, { shown = {} }) => {
    const bare = (text: string) => text.replaceAll(' ', '').toLowerCase()
    for (const [name, text] of Object.entries(shown)) expect(bare(text)).toBe(bare(name))
  })

  test.each(Object.entries(ENUMERATIONS))(
    '%s names values of its own as sentinels and in place of deprecated ones',
    (_, { values, sentinels = [], deprecated = {} }) => {
      for (const name of [...sentinels, ...Object.keys(deprecated), ...Object.values(deprecated)])
        expect(values).toHaveProperty([String(name)])
    },
  )
})

describe.skipIf(!present)('the specification in ../shared', () => {
  test('has the same enumerations, names and numbers', () => {
    const ours = Object.entries(ENUMERATIONS).map(([name, { values, prefix = '' }]) => [
      name,
      Object.fromEntries(Object.entries(values).map(([each, number]) => [`${prefix}${each}`, number])),
    ])
    expect(Object.fromEntries(ours)).toEqual(specifiedEnumerations())
  })

  test('has the same sentinels and deprecated names', () => {
    const specified = enumerationNotes()
    for (const [name, { sentinels, deprecated }] of Object.entries(ENUMERATIONS)) {
      expect(sentinels ?? [], name).toEqual(specified.sentinels(name))
      expect(Object.entries(deprecated ?? {}), name).toEqual(specified.deprecated(name))
    }
  })
})
