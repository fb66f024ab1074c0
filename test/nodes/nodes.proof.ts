import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { read, root } from '../house/source.ts'
import { table } from '../prove/report.ts'
import { provenVersions, testEnvironment } from './versions.ts'

/** What vitest's reporter `json` writes. */
interface Report {
  readonly numTotalTests: number
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly unknown[]
}

const own = process.versions.node.split('.')[0] ?? ''
const majors = provenVersions()

test('engines names the versions of Node.js that CI runs and installs', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
  const named = [...engines.node.matchAll(/\^(\d+)\./g)].map(([, major]) => major)
  expect(named).toEqual(['20', ...majors])
})

/** The environment of a version, which `.ci/node` installs unless it is the one that runs. */
function environmentOf(major: string): NodeJS.ProcessEnv {
  const env = testEnvironment(process.env)
  if (major === own) return env
  const folder = join(root, 'node_modules/.cache/tapehouse/nodes')
  const line = execFileSync(
    'bash',
    ['-c', `eval "$(.ci/node "$1" "$2")"; printf %s "$PATH"`, '-', folder, major],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  return { ...env, PATH: line }
}

const rows: string[][] = []
const versions = inject('tier') === 'long' ? [...new Set([own, ...majors])] : []
for (const major of versions)
  test(`npm test passes on Node.js ${major}`, () => {
    const env = environmentOf(major)
    const file = join(mkdtempSync(join(inject('runFolder'), 'nodes-')), 'report.json')
    const started = performance.now()
    const ran = spawnSync('npm', ['test', '--', '--reporter=json', `--outputFile=${file}`], {
      cwd: root,
      env,
      encoding: 'utf8',
      maxBuffer: 1e9,
    })
    const seconds = Math.round((performance.now() - started) / 1000)
    expect(existsSync(file), ran.stderr).toBe(true)
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    const version = execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim()
    expect(version).toMatch(new RegExp(`^v${major}\\.`))
    const counts = [
      report.testResults.length,
      report.numTotalTests,
      report.numPassedTests,
      report.numFailedTests,
    ]
    rows.push([version, ...counts.map(String), String(seconds)])
    process.stdout.write(
      `\n${table([['Node.js', 'files', 'tests', 'passed', 'failed', 'seconds'], ...rows])}\n`,
    )
    expect([ran.status, report.numFailedTests], ran.stderr.slice(-10_000)).toEqual([0, 0])
  })
