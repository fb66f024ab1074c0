import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../fixtures/lake.ts'
import { countCases } from '../fixtures/tier.ts'
import { installed, nodeModules, runTool } from './client-tools.ts'
import { demo } from './demo.ts'

/**
 * Clients that others' generators make of the OpenAPI document of a running demo, without options: each calls operations
 * of all subjects, and compares what it has parsed with the JSON.
 */

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The operations that a client has called successfully, each once. */
function called(output: string): string[] {
  const names = [...output.matchAll(/^([\w-]+) 200$/gm)].map(([, name = '']) => name.replaceAll('_', '-'))
  return [...new Set(names)]
}

describe.skipIf(!installed)('clients of generators (client tools)', () => {
  test("Redocly's linter has no complaint about the document", async () => {
    const { document } = await demo(folder)
    const { stdout } = await runTool(
      'redocly',
      ['lint', document, '--extends=recommended', '--format=json'],
      folder,
    )
    const { totals, problems } = JSON.parse(stdout)
    expect(
      problems.map((problem: { ruleId: string; message: string }) => `${problem.ruleId}: ${problem.message}`),
    ).toEqual([])
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
  })

  test('openapi-python-client: its client calls ten operations with typed parameters', async () => {
    const { server, token, document } = await demo(folder)
    const within = join(folder, 'python')
    mkdirSync(within)
    const args = ['generate', '--path', document, '--output-path', join(within, 'market'), '--meta', 'none']
    const generated = await runTool('openapi-python-client', args, within)
    expect(`${generated.stdout}${generated.stderr}`).not.toMatch(/warning|error/i)
    const run = await runTool('python', ['-B', here('calls.py'), server.url, token], within, {
      PYTHONPATH: within,
    })
    expect(run.stderr).toBe('')
    expect(called(run.stdout).length).toBeGreaterThanOrEqual(10)
    countCases(called(run.stdout).length)
  })

  test('openapi-typescript and openapi-fetch: their client calls ten operations and compiles', async () => {
    const { server, token, document } = await demo(folder)
    const within = join(folder, 'typescript')
    mkdirSync(within)
    symlinkSync(nodeModules, join(within, 'node_modules'))
    copyFileSync(here('calls.ts'), join(within, 'calls.ts'))
    writeFileSync(join(within, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(within, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: STRICT, files: ['calls.ts'] }),
    )
    const generated = await runTool('openapi-typescript', [document, '-o', 'market.ts'], within)
    expect(generated, generated.stderr).toMatchObject({ code: 0 })
    const compiled = await runTool('tsc', ['-p', '.'], within)
    expect(compiled.stdout).toBe('')
    const run = await runTool('node', ['built/calls.js'], within, { URL: server.url, TOKEN: token })
    expect(run.stderr).toBe('')
    expect(called(run.stdout).length).toBeGreaterThanOrEqual(10)
    countCases(called(run.stdout).length)
  })
})

/** The strictest settings that a client may be compiled with. */
const STRICT = {
  target: 'es2023',
  lib: ['es2023', 'dom'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: true,
  outDir: 'built',
}
