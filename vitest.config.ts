import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/house/longest-first.ts'

/** `npm test`. See docs/testing.md. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['./test/fixtures/run-folder.ts'],
    provide: { tier: 'test' },
    tags: [{ name: 'slow', description: 'a test that proofs run and npm test leaves out' }],
    // The files of a worker share its modules: loading the program for each took longer than most of them run.
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Engines close when a worker ends, which a busy machine does not do within the default of 10 s. It would be reported as an error.
    teardownTimeout: 60_000,
    // One more than two cores have: while a test waits for a process of its own, the others use the time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/house/skips.ts'],
  },
})
