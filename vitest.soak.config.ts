import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

const timeoutMs = 2 * 3_600_000

/** `npm run test:soak`. See docs/testing.md. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/hold/*.soak.ts'],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    reporters: ['default'],
  },
})
