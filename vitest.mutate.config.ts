import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** `npm run mutate:sql` (see test/golden/README.md). */
export default defineConfig({
  test: { ...base.test, include: ['test/golden/mutate.ts'], reporters: ['default'], testTimeout: 1_200_000 },
})
