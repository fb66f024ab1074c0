import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { read, root } from '../../house/source.ts'

interface Platform {
  readonly platform: string
  readonly cpu: string
  readonly glibc: string | undefined
}
const { PLATFORMS, platformProblem } = (await import(pathToFileURL(join(root, 'bin/platforms.js')).href)) as {
  PLATFORMS: Record<string, { cpus: string[]; glibc?: string }>
  platformProblem: (platform: Platform) => string | null
}

const SUPPORTED =
  'is not supported: run tapehouse on Linux with glibc 2.28 or later (x64, arm64); macOS (x64, arm64); Windows (x64, arm64); see "Platforms" in docs/binary.md'

test.each([
  ['linux', 'x64', '2.28', null],
  ['linux', 'arm64', '2.41', null],
  ['linux', 'x64', '3.0', null],
  ['darwin', 'arm64', undefined, null],
  ['win32', 'arm64', undefined, null],
  ['linux', 'x64', '2.27', 'Linux (x64) with glibc 2.27'],
  ['linux', 'x64', '2.3', 'Linux (x64) with glibc 2.3'],
  ['linux', 'x64', undefined, 'Linux (x64) without glibc, such as with musl,'],
  ['linux', 'ia32', '2.41', 'Linux (ia32)'],
  ['win32', 'ia32', undefined, 'Windows (ia32)'],
  ['freebsd', 'x64', undefined, 'freebsd (x64)'],
])('%s on %s with glibc %s: %s', (platform, cpu, glibc, problem) => {
  expect(platformProblem({ platform, cpu, glibc })).toBe(problem === null ? null : `${problem} ${SUPPORTED}`)
})

test('package.json and docs/binary.md name the same platforms', () => {
  const { os, cpu } = JSON.parse(read('package.json')) as { os: string[]; cpu: string[] }
  expect(Object.keys(PLATFORMS).toSorted()).toEqual(os.toSorted())
  for (const { cpus } of Object.values(PLATFORMS)) expect(cpus.toSorted()).toEqual(cpu.toSorted())
  expect(read('docs/binary.md')).toContain(`glibc ${PLATFORMS.linux?.glibc} or later`)
})

test('the command says so in one line, before it loads the engine', () => {
  // As Node.js built for musl reports itself.
  const preload = `data:text/javascript,${encodeURIComponent(
    'const get = process.report.getReport.bind(process.report)\nprocess.report.getReport = () => { const report = get(); delete report.header.glibcVersionRuntime; return report }',
  )}`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', preload, join(root, 'bin/tapehouse.js'), '--version'],
    { encoding: 'utf8' },
  )
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: `tapehouse: Linux (x64) without glibc, such as with musl, ${SUPPORTED}\n`,
  })
})
