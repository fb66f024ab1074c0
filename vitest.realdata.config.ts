import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** `npm run realdata`: all the files of ../shared/realdata in one lake, against the table in test/import/realdata. */
export default defineConfig({
  test: { ...base.test, include: ['test/import/realdata.ts'], testTimeout: 600_000 },
})
