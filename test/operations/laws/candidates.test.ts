import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import type { Base } from './bases.ts'
import { boundTexts } from './candidates.ts'

test('no text of a maximum is below the minimum of the question, as that is a fault', () => {
  const operation = operations.find(({ id }) => id === 'screener-option-contracts')
  const rows = [{ volume: 31 }, { volume: 33 }]
  const base = (question: Base['question']) =>
    ({ operation, question, lake: { derived: true }, whole: { rows } }) as unknown as Base
  const texts = (question: Base['question']) =>
    [...new Set(fc.sample(boundTexts(base(question), 'max_volume'), 200))].sort()
  expect(texts({})).toEqual(['30', '31', '32', '33', '34'])
  expect(texts({ min_volume: ['31'] })).toEqual(['31', '32', '33', '34'])
})
