import { formatsFor } from '../../lake/contents/fill.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'

/**
 * Why a value is unknown: `otherwise`, or, after `before`, that the lake has no rows of the dataset, with the imports that
 * fill it.
 */
export const unknownBecause = (
  snapshot: Pick<Snapshot, 'datasets'> | undefined,
  dataset: string,
  otherwise: string,
  before = '',
): string =>
  snapshot === undefined || snapshot.datasets.includes(dataset)
    ? otherwise
    : `${before}but the lake has no ${dataset}: import data with tapehouse import ${formatsFor(dataset).join(' or ')}`
