import fc from 'fast-check'
import { amount } from '../fixtures/tier.ts'

/** How often random properties without a number of their own are tried: fast-check's own default is 100. */
fc.configureGlobal({ numRuns: amount({ test: 100, prove: 400, long: 40_000 }) })
