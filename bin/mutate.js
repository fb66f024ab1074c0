// `npm run mutate`: changes the code in small ways, and reports the changes that no test notices. See docs/reliability.md.
import { existsSync, rmSync } from 'node:fs'
import { Stryker } from '@stryker-mutator/core'

/** What is mutated, with the tests that must notice. `least` is the least part of the mutants, in percent. */
const SUBJECTS = {
  authentication: {
    mutate: ['src/api/http/authenticate.ts', 'src/api/service/grant.ts', 'src/api/service/token-file.ts'],
    tests: [
      'test/api/http/authenticate.test.ts',
      'test/api/service/grant.test.ts',
      'test/api/service/token-file.test.ts',
      'test/api/service/permissions.test.ts',
    ],
    least: 85,
  },
  validation: {
    mutate: [
      'src/operations/answering/{validate,crossed,names}.ts',
      'src/operations/parameters/{kinds,list,number,problem,time}.ts',
    ],
    tests: [
      'test/operations/parameters/*.test.ts',
      'test/operations/answering/{crossed,faults,names,validate}.test.ts',
    ],
    least: 85,
  },
  publishing: {
    mutate: ['src/lake/publish/*.ts'],
    // Those that are quick. In the processes that the tests of crashes start, the code is as it is.
    tests: ['base', 'carry', 'moves', 'publish', 'record', 'staging', 'steps'].map(
      name => `test/lake/publish/${name}.test.ts`,
    ),
    least: 85,
  },
}

const REPORTS = 'mutation'

const [wanted, ...files] = process.argv.slice(2)
function usageError(problem) {
  process.stderr.write(`mutate: ${problem}\nUsage: npm run mutate [-- SUBJECT [FILE…]]\n`)
  process.exit(2)
}
if (wanted !== undefined && !Object.hasOwn(SUBJECTS, wanted))
  usageError(`${JSON.stringify(wanted)} is none of ${Object.keys(SUBJECTS).join(', ')}`)
const missing = files.find(file => !existsSync(file))
if (missing !== undefined)
  usageError(
    `there is no file ${JSON.stringify(missing)}: name files of the subject, such as src/lake/publish/base.ts`,
  )

/** Mutates one subject. Returns how many mutants had which end. */
async function mutate(name, { mutate, tests }) {
  process.env.TAPEHOUSE_MUTATION_TESTS = JSON.stringify(tests)
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutate.config.ts', related: false },
    mutate: files.length > 0 ? files : mutate,
    concurrency: Number(process.env.MUTATE_CONCURRENCY ?? 1),
    coverageAnalysis: 'perTest',
    timeoutMS: 40_000,
    dryRunTimeoutMinutes: 20,
    disableTypeChecks: false,
    // Stryker rewrites this file with an interface that TypeScript 7 no longer has. Nothing here reads it.
    tsconfigFile: 'none',
    ignorePatterns: ['dist', 'release', 'data', 'test/golden', 'bench', REPORTS],
    tempDirName: `.stryker-tmp/${name}`,
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only', 'clear-text', 'json'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    jsonReporter: { fileName: `${REPORTS}/${name}.json` },
    fileLogLevel: 'off',
    logLevel: 'warn',
    allowConsoleColors: false,
  }).runMutationTest()
  rmSync(`.stryker-tmp/${name}`, { recursive: true, force: true })
  const count = (...ends) => results.filter(({ status }) => ends.includes(status)).length
  const detected = count('Killed', 'Timeout')
  const undetected = count('Survived', 'NoCoverage')
  return { detected, undetected, percent: (100 * detected) / (detected + undetected) }
}

const lines = []
let isEnough = true
for (const [name, subject] of Object.entries(SUBJECTS)) {
  if (wanted !== undefined && wanted !== name) continue
  const begun = performance.now()
  const { detected, undetected, percent } = await mutate(name, subject)
  isEnough &&= percent >= subject.least
  const seconds = Math.round((performance.now() - begun) / 1000)
  lines.push(
    `${name.padEnd(16)}${String(detected + undetected).padStart(8)}${String(detected).padStart(10)}${String(undetected).padStart(10)}${percent.toFixed(1).padStart(9)}${String(seconds).padStart(9)}`,
  )
}
process.stdout.write(
  `\nSubject          Mutants  Detected  Survived  Percent  Seconds\n${lines.join('\n')}\n`,
)
process.exitCode = isEnough ? 0 : 1
