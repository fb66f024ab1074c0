// `npm run prove`: runs the proofs of test/prove/proofs.json, which docs/testing.md describes.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('../', import.meta.url))
const proofs = JSON.parse(readFileSync(`${root}test/prove/proofs.json`, 'utf8'))
const nameWidth = Math.max(...proofs.map(({ name }) => name.length))

const HELP = `Runs the proofs that take too long for npm test, and prints a table of what they tried.

Usage: npm run prove [-- [proof…] [--long] [-t NAME]]

Proofs, default: all. A name that ends with a hyphen is that of all proofs that begin with it.
${proofs.map(({ name, what }) => `  ${name.padEnd(nameWidth)}  ${what}`).join('\n')}

Flags:
  --long   Try many more cases: hours instead of minutes.
  -t NAME  Run only the tests whose name matches, with no least number of cases.
  --help   Print this text.

Exit code: 0 if every proof holds and tried the least number of cases that the table requires, 1 if not, 2 for a usage
error.
`

function usageError(problem) {
  process.stderr.write(`prove: ${problem} (see npm run prove -- --help)\n`)
  process.exit(2)
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        long: { type: 'boolean' },
        test: { type: 'string', short: 't' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (thrown) {
    return usageError(thrown.message.replace(/\. .*$/s, ''))
  }
}

const { values, positionals } = readArguments()
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const isNamed = (proof, name) => proof.name === name || (name.endsWith('-') && proof.name.startsWith(name))
const unknown = positionals.find(name => !proofs.some(proof => isNamed(proof, name)))
if (unknown !== undefined)
  usageError(`there is no proof "${unknown}": the proofs are ${proofs.map(({ name }) => name).join(', ')}`)

const chosen =
  positionals.length === 0 ? proofs : proofs.filter(proof => positionals.some(name => isNamed(proof, name)))
const scratch = mkdtempSync(join(tmpdir(), 'tapehouse-prove-'))
/** Where test/prove/report.ts adds what failed. */
const failures = join(scratch, 'failures.txt')
writeFileSync(failures, '')
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

/** Runs proofs, and resolves to the exit code. `filters` are more arguments of vitest. */
function run(some, filters) {
  const child = spawn(
    process.execPath,
    [
      vitest,
      'run',
      '--config',
      'vitest.prove.config.ts',
      ...(values.test === undefined ? [] : ['-t', values.test]),
      ...filters,
      ...new Set(some.flatMap(proof => proof.files)),
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        TAPEHOUSE_PROOFS: some.map(({ name }) => name).join(),
        TAPEHOUSE_PROOF_FAILURES: failures,
        ...(values.long ? { TAPEHOUSE_PROVE_LONG: '1' } : {}),
      },
    },
  )
  return new Promise(resolve => child.once('close', code => resolve(code ?? 1)))
}

// A proof with a tag is the tests with that tag in files of no other proof, which run their tests with a tag themselves.
const ofFiles = proofs.filter(({ tag }) => tag === undefined)
const inOthers = ofFiles
  .flatMap(proof => proof.files)
  .flatMap(path => [`${path}*`, `${path}*/**`].map(pattern => `--exclude=${pattern}`))
const runs = [
  ...chosen
    .filter(({ tag }) => tag !== undefined)
    .map(proof => ({ some: [proof], filters: [`--tags-filter=${proof.tag}`, ...inOthers] })),
  { some: chosen.filter(({ tag }) => tag === undefined), filters: [] },
]
for (const { some, filters } of runs)
  if (some.length > 0) process.exitCode = Math.max(process.exitCode ?? 0, await run(some, filters))

// A later run prints hundreds of lines after the errors of an earlier one.
const failed = readFileSync(failures, 'utf8')
if (failed !== '') process.stdout.write(`\nFAILED\n\n${failed}`)
