import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/house/longest-first.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/house/skips.ts'],
  },
})
