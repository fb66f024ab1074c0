import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../fixtures/lake.ts'
import { amount, countCases } from '../fixtures/tier.ts'
import { installed, runTool } from './client-tools.ts'
import { demo } from './demo.ts'

/** Requests that schemathesis makes of the document of a running demo: nobody of this project wrote them. */

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Whether each answer is what the document says of it, and none is a 5xx. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'ignored_auth',
  'unsupported_method',
]

describe.skipIf(!installed)('schemathesis (client tools)', () => {
  test('finds no 5xx, no undocumented status, and no answer that differs from its schema', async () => {
    const { server, token } = await demo(folder)
    const { code, stdout } = await runTool(
      'schemathesis',
      [
        ...['run', `${server.url}/api/openapi.json`, '--header', `Authorization: Bearer ${token}`],
        ...['--checks', CHECKS.join(), '--max-examples', amount({ test: '1', prove: '2', long: '300' })],
        ...['--phases', 'examples,coverage,fuzzing', '--generation-database', 'none', '--no-color'],
      ],
      folder,
    )
    const [, cases = '0'] = /(\d+) generated/.exec(stdout) ?? []
    expect(code, stdout.slice(-8000)).toBe(0)
    expect(Number(cases)).toBeGreaterThan(1000)
    countCases(Number(cases))
  })
})
