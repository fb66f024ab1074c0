import { existsSync } from 'node:fs'
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node'
import { canBoot } from '../fixtures/namespaces.ts'

/**
 * Tests that may be skipped, by a part of their full name, and when. Any other skipped test fails the run: a test that
 * does not run proves nothing.
 */
const MAY_SKIP: readonly { readonly name: RegExp; readonly reason: string; readonly when: () => boolean }[] =
  [
    {
      name: /\.\.\/shared/,
      reason: 'the folder ../shared with real data and reference values is not beside the project',
      when: () => !existsSync(new URL('../../../shared', import.meta.url)),
    },
    {
      name: /full disk|mounted/,
      reason: 'mounting a file system needs root',
      when: () => process.getuid?.() !== 0 && process.env.CI === undefined,
    },
    {
      name: /python3/,
      reason: 'there is no python3 on the path, and this is not CI',
      when: () => process.env.CI === undefined,
    },
    {
      name: /in (zsh|fish) >/,
      reason: 'zsh and fish are not both installed',
      when: () => !existsSync('/usr/bin/zsh') || !existsSync('/usr/bin/fish'),
    },
    {
      name: /with systemd as the first process/,
      reason: 'systemd is not installed, or this user or kernel does not let it run in namespaces',
      when: () => !canBoot(),
    },
    {
      name: /in chromium/,
      reason: 'there is no /usr/bin/chromium',
      when: () => !existsSync('/usr/bin/chromium'),
    },
    {
      name: /needs the package/,
      reason: 'a Debian package that the name of the test names is not installed: apt-get install it',
      when: () => process.env.CI === undefined || process.env.TAPEHOUSE_WITHOUT_PACKAGES !== undefined,
    },
    {
      name: /stream tools/,
      reason: 'TAPEHOUSE_STREAM_TOOLS is not set: .ci/stream-tools installs the tools and prints the setting',
      when: () =>
        process.env.TAPEHOUSE_STREAM_TOOLS === undefined &&
        (process.env.CI === undefined || process.env.TAPEHOUSE_WITHOUT_STREAM_TOOLS !== undefined),
    },
    {
      name: /reader tools/,
      reason:
        'TAPEHOUSE_READER_TOOLS is not set: .ci/reader-tools installs the readers and prints the setting',
      when: () =>
        process.env.TAPEHOUSE_READER_TOOLS === undefined &&
        (process.env.CI === undefined || process.env.TAPEHOUSE_WITHOUT_READER_TOOLS !== undefined),
    },
    {
      name: /client tools/,
      reason:
        'TAPEHOUSE_CLIENT_TOOLS is not set: .ci/client-tools installs the generators and prints the setting',
      when: () =>
        process.env.TAPEHOUSE_CLIENT_TOOLS === undefined &&
        (process.env.CI === undefined || process.env.TAPEHOUSE_WITHOUT_CLIENT_TOOLS !== undefined),
    },
  ]

/** Why a test may be skipped here and now; undefined if no entry of the table excuses it. */
export const excuseOf = (name: string): string | undefined =>
  MAY_SKIP.find(allowed => allowed.name.test(name) && allowed.when())?.reason

/** A test's name as `vitest -t` matches it: those of its suites before its own, without its file. */
function nameToMatch({ parent, name }: Pick<TestCase, 'name' | 'parent'>): string {
  const names = [name]
  for (let suite = parent; suite.type === 'suite'; suite = suite.parent) names.unshift(suite.name)
  return names.join(' ')
}

/**
 * Whether `--tags-filter` leaves out a test with these tags. An expression with operators is not evaluated: it may leave out any
 * test.
 */
function filteredByTag(filters: readonly string[], tags: readonly string[]): boolean {
  return filters.some(filter => {
    const [whole, not, name = ''] = /^(!?)(\w+)$/.exec(filter) ?? []
    return whole === undefined || tags.includes(name) === (not === '!')
  })
}

/** A reporter that prints why tests were skipped, and fails the run if the table excuses one of them not. */
export default class SkipReporter implements Reporter {
  #vitest: Vitest | undefined
  /** Whether the command line left a test out, with `-t NAME`, `--tags-filter TAG` or `FILE:LINE`. */
  #filteredOut: (test: TestCase) => boolean = () => false

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const pattern = this.#vitest?.getGlobalTestNamePattern()
    const tags = this.#vitest?.config.tagsFilter ?? []
    const byLine = new Set(
      specifications.flatMap(({ moduleId, testLines }) => (testLines === undefined ? [] : [moduleId])),
    )
    this.#filteredOut = test =>
      byLine.has(test.module.moduleId) ||
      (pattern !== undefined && !pattern.test(nameToMatch(test))) ||
      filteredByTag(tags, test.tags)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules
      .flatMap(module => [...module.children.allTests('skipped')])
      .filter(test => !this.#filteredOut(test))
    const excused = new Map<string, number>()
    for (const { fullName } of skipped) {
      const reason = excuseOf(fullName)
      if (reason !== undefined) {
        excused.set(reason, (excused.get(reason) ?? 0) + 1)
        continue
      }
      process.stderr.write(`skipped without an excuse in test/house/skips.ts: ${fullName}\n`)
      process.exitCode = 1
    }
    for (const [reason, count] of excused) process.stderr.write(`${count} tests skipped: ${reason}\n`)
  }
}
