import { amount } from '../../fixtures/tier.ts'

/** That of the environment, to repeat a run, else a new one. */
const randomSeed = () => Number(process.env.LAWS_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** What the random cases of a run follow from: always the same in `npm test`. */
export const SEED = amount({ test: () => 18, prove: randomSeed, long: randomSeed })()
