import type { Fits, Operation } from './operation.ts'
import { InvalidRequest } from './validate.ts'

/** Parameters that determine how long an answer is, with what to do. The first one that an operation has is named. */
const LOWERED: Readonly<Record<string, string>> = {
  limit: 'lower it',
  calculations: 'request fewer calculations, bins or symbols',
}

/** Throws InvalidRequest if an answer is longer than `bytesMax`, and names the parameter to lower. */
export const fitsIn =
  ({ parameters }: Operation, bytesMax: number): Fits =>
  bytes => {
    if (bytes <= bytesMax) return
    const [name = '', remedy = 'request less at once'] =
      Object.entries(LOWERED).find(([each]) => parameters[each]) ?? Object.keys(parameters)
    const parameter = parameters[name]
    throw new InvalidRequest([
      {
        in: parameter?.in ?? 'query',
        name,
        problem: `leads to an answer of more than ${bytesMax} bytes: ${remedy}`,
        example: `${name}=${parameter?.example ?? ''}`,
      },
    ])
  }
