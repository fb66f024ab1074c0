import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** `npm run prove`, which names the files to run. See docs/testing.md. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/**/*.{test,proof}.ts'],
    provide: { tier: process.env.TAPEHOUSE_PROVE_LONG === undefined ? 'prove' : 'long' },
    setupFiles: ['./test/prove/random-runs.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
    reporters: ['default', './test/house/skips.ts', './test/prove/report.ts'],
  },
})
