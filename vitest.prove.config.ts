import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

const long = process.env.TAPEHOUSE_PROVE_LONG !== undefined
/** Of a test or a hook. */
const timeoutMs = (long ? 24 * 60 : 30) * 60_000

/** `npm run prove`, which names the files and the tags to run. See docs/testing.md. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/**/*.{test,proof}.ts'],
    provide: { tier: long ? 'long' : 'prove' },
    setupFiles: ['./test/prove/random-runs.ts'],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    // A random case that failed may not come again: its report says all of it.
    chaiConfig: { truncateThreshold: 10_000 },
    reporters: ['default', './test/house/skips.ts', './test/prove/report.ts'],
  },
})
