import { expect, test } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import { countCases } from '../../fixtures/tier.ts'
import { openLakes } from './lakes.ts'
import { proveLineage } from './proof.ts'

test.each(operations)('$id documents the lineage of its fields and parameters', async operation => {
  const lakes = await openLakes()
  try {
    const { problems, compared } = await proveLineage(operation, lakes.lakeOf)
    expect([...problems].join('\n')).toBe('')
    countCases(compared)
  } finally {
    await lakes.close()
  }
})
