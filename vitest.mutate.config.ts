import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The tests that `npm run mutate` runs for each mutant: bin/mutate.js names them. */
export default defineConfig({
  test: {
    ...base.test,
    include: JSON.parse(process.env.TAPEHOUSE_MUTATION_TESTS ?? '[]'),
    testTimeout: 40_000,
    reporters: ['default'],
  },
})
