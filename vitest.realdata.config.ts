import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** `npm run realdata`: all the files of ../shared/realdata in one lake, against the table in test/sql/import/realdata. */
export default defineConfig({
  test: { ...base.test, include: ['test/sql/import/realdata.ts'], testTimeout: 600_000 },
})
