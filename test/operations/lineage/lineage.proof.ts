import { expect, test } from 'vitest'
import { operations } from '../../../src/operations/index.ts'
import { openLakes } from './lakes.ts'
import { proveLineage } from './proof.ts'

test.each(operations)('$id documents the lineage of its fields and parameters', async operation => {
  const lakes = await openLakes()
  try {
    const { problems, compared } = await proveLineage(operation, lakes.lakeOf)
    expect([...problems].join('\n')).toBe('')
    expect(compared, 'too few answers were compared').toBeGreaterThan(10)
  } finally {
    await lakes.close()
  }
})
