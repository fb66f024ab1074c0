import type { Operation } from './answering/operation.ts'
import * as catalog from './catalog.ts'

/** All operations of the API, in the order of their names. */
export const operations: readonly Operation[] = Object.values(catalog)
