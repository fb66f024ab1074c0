import { existsSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * Tests that may be skipped, by a part of their full name, and when. Any other skipped test fails the run: what is not
 * run proves nothing.
 */
const MAY_SKIP: readonly { readonly name: RegExp; readonly reason: string; readonly when: () => boolean }[] =
  [
    {
      name: /\.\.\/shared/,
      reason: 'the folder ../shared with real data and reference values is not beside the project',
      when: () => !existsSync(new URL('../../../shared', import.meta.url)),
    },
    {
      name: /full disk/,
      reason: 'mounting a small file system needs root',
      when: () => process.getuid?.() !== 0 && process.env.CI === undefined,
    },
    {
      name: /python3/,
      reason: 'there is no python3 on the path, and this is not CI',
      when: () => process.env.CI === undefined,
    },
    {
      name: /in chromium/,
      reason: 'there is no /usr/bin/chromium',
      when: () => !existsSync('/usr/bin/chromium'),
    },
    {
      name: /stream tools/,
      reason: 'TAPEHOUSE_STREAM_TOOLS is not set: .ci/stream-tools installs them and prints it',
      when: () =>
        process.env.TAPEHOUSE_STREAM_TOOLS === undefined &&
        (process.env.CI === undefined || process.env.TAPEHOUSE_WITHOUT_STREAM_TOOLS !== undefined),
    },
  ]

/** Why a skipped test may be skipped here and now; undefined if nothing excuses it. */
const excuseOf = (name: string) => MAY_SKIP.find(allowed => allowed.name.test(name) && allowed.when())?.reason

/** A reporter that says why tests were skipped, and ends the run with a failure if one was without an excuse. */
export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap(module =>
      [...module.children.allTests('skipped')].map(test => test.fullName),
    )
    const excused = new Map<string, number>()
    for (const name of skipped) {
      const reason = excuseOf(name)
      if (reason !== undefined) {
        excused.set(reason, (excused.get(reason) ?? 0) + 1)
        continue
      }
      process.stderr.write(`skipped without an excuse in test/house/skips.ts: ${name}\n`)
      process.exitCode = 1
    }
    for (const [reason, count] of excused) process.stderr.write(`${count} tests skipped: ${reason}\n`)
  }
}
