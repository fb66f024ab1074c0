import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '../../src/operations/answering/operation.ts'
import { responseSchema } from '../../src/operations/fields/response.ts'

/** Whether an operation has a schema of its own, because the rows of its template are not the records of its answer. */
export const isShaped = ({ id, response, fields }: Operation): boolean =>
  !isDeepStrictEqual(response, responseSchema(id, fields))
