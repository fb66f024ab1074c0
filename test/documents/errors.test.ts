import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openCache } from '../../src/api/service/answer-cache.ts'
import { failed } from '../../src/api/service/problem.ts'
import { PROBLEMS } from '../../src/api/service/problem-codes.ts'
import { createToken } from '../../src/api/service/token-file.ts'
import { FAILURES, Failure } from '../../src/engine/failure.ts'
import { folderForTest, makeLake, SMALL_DAYS, temporaryFolder } from '../fixtures/lake.ts'
import { openService, type TestService } from '../fixtures/service.ts'
import { read } from '../house/source.ts'

const page = read('docs/errors.md')
const SENTENCES = /^[A-Z`].{15,}\.$/

describe('docs/errors.md', () => {
  test.each(Object.entries({ ...FAILURES, ...PROBLEMS }))(
    'says what %s means and what to do',
    (code, row) => {
      expect(row.meaning).toMatch(SENTENCES)
      expect(row.remedy).toMatch(SENTENCES)
      expect(row.remedy).not.toBe(row.meaning)
      expect(page).toContain(`\`${code}\``)
      expect(page).toContain(`| ${row.meaning} | ${row.remedy} |`)
    },
  )
})

test('the table of HTTP responses has exactly the codes that bodies show', () => {
  const [, table = ''] = /^## HTTP responses$(.*?)^The body is/ms.exec(page) ?? []
  const listed = [...table.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(
    ([, status, code]) => `${status} ${code}`,
  )
  const shown = Object.entries(PROBLEMS)
    .filter(([code]) => code !== 'invalid_request')
    .map(([code, { status }]) => `${status} ${code}`)
  expect(listed).toEqual(shown)
  expect(table).toMatch(/^\| 422 \| none \|/m)
})

describe('the fields of error responses that docs/errors.md lists', () => {
  const folder = temporaryFolder()
  let service: TestService
  let limited = ''

  beforeAll(async () => {
    service = await openService(folder, await makeLake(folder, { days: SMALL_DAYS }))
    limited = await createToken(service.tokensFile, {
      name: 'limited',
      routes: ['economy'],
      owner: null,
      expiresAt: null,
    })
    await service.until(() => service.grants.find(limited) !== null)
  })
  afterAll(async () => {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Fields by the statuses that the page lists for them; `all but 422` becomes every other status. */
  const documented = [...page.matchAll(/^\| (`[\w`, ]+`) \| ([\w ,]+) \| [^|]+ \|$/gm)].flatMap(
    ([, names = '', statuses = '']) =>
      names.split(', ').map(name => ({ name: name.replaceAll('`', ''), statuses })),
  )
  const fieldsOf = (status: number) =>
    documented
      .filter(({ statuses }) =>
        statuses === 'all but 422' ? status !== 422 : statuses.split(', ').includes(String(status)),
      )
      .map(({ name }) => name)
      .toSorted()

  const analytics = '/api/analytics/window?symbols=ONE&range=full&calculations=MEAN'
  const all = () => ({ authorization: `Bearer ${service.token}` })

  test.each([
    ['authentication_required', () => ({ url: analytics })],
    ['missing_access', () => ({ url: analytics, headers: { authorization: `Bearer ${limited}` } })],
    ['not_found', () => ({ url: '/api/nothing', headers: all() })],
    ['method_not_allowed', () => ({ method: 'POST' as const, url: analytics, headers: all() })],
    ['not_acceptable', () => ({ url: analytics, headers: { ...all(), accept: 'image/png' } })],
    ['upgrade_required', () => ({ url: '/api/socket', headers: all() })],
  ] as const)('are those of %s', async (code, request) => {
    const response = await service.server.inject(request())
    expect(response.statusCode).toBe(PROBLEMS[code].status)
    const { expected_format: format, ...body } = response.json()
    expect(body.code).toBe(code)
    expect(Object.keys(body).toSorted()).toEqual(fieldsOf(PROBLEMS[code].status))
    expect(format).toBe(code === 'authentication_required' ? 'uuid' : undefined)
  })

  test('are those of a 422, and its example has them too', async () => {
    const response = await service.server.inject({ url: `${analytics}&date=today`, headers: all() })
    expect(response.statusCode).toBe(422)
    const [, example = ''] = /```json\n(.*?)\n```/s.exec(page) ?? []
    expect(Object.keys(JSON.parse(example))).toEqual(Object.keys(response.json()))
    expect(fieldsOf(422)).toEqual([])
  })

  test('are those of a damaged file', async () => {
    rmSync(join(folder, 'lake', 'stock_days'), { recursive: true })
    const response = await service.server.inject({ url: analytics, headers: all() })
    expect([response.statusCode, response.json().code]).toEqual([503, 'lake_damaged'])
    const own = ['dataset', 'days', 'file']
    for (const name of own) expect(page).toContain(`\`${name}\``)
    expect(Object.keys(response.json()).toSorted()).toEqual([...fieldsOf(503), ...own].toSorted())
    expect(service.seen.some(({ kind }) => kind === 'failed')).toBe(false)
  })

  test('are those of a temporary folder that cannot be written', async () => {
    const lake = await makeLake(folderForTest(), { days: SMALL_DAYS })
    vi.stubEnv('TMPDIR', folderForTest())
    onTestFinished(() => void vi.unstubAllEnvs())
    const own = await openService(folder, lake)
    onTestFinished(() => own.close())
    const authorization = `Bearer ${own.token}`
    await own.server.inject({ url: analytics, headers: { authorization } })
    // The engine writes long Parquet answers there.
    for (const name of readdirSync(tmpdir())) {
      rmSync(join(tmpdir(), name), { recursive: true })
      writeFileSync(join(tmpdir(), name), 'a file where the folder was')
    }
    const headers = { authorization, accept: 'application/vnd.apache.parquet' }
    const response = await own.server.inject({
      url: '/api/option-contract/ONE240119C00100000/flow?date=2024-01-05',
      headers,
    })
    expect([response.statusCode, response.json().code]).toEqual([503, 'overloaded'])
    expect(response.json().message).toBe('the temporary folder cannot be used: try again.')
    expect(response.headers['retry-after']).toBe('1')
    expect(Object.keys(response.json()).toSorted()).toEqual(fieldsOf(503))
    expect(own.seen.some(({ kind }) => kind === 'failed')).toBe(false)
    // The cache needs no file.
    const json = await own.server.inject({ url: analytics, headers: { authorization } })
    expect(json.statusCode).toBe(200)
  })

  test('are those of a 500, and the log has the cause', async () => {
    const lake = await makeLake(folderForTest(), { days: SMALL_DAYS })
    const cache = openCache(1024)
    vi.spyOn(cache.answers, 'get').mockImplementation(() => {
      throw new Error('IO Error: a defect')
    })
    const own = await openService(folder, lake, { cache })
    onTestFinished(() => own.close())
    const response = await own.server.inject({
      url: analytics,
      headers: { authorization: `Bearer ${own.token}`, accept: 'application/vnd.apache.parquet' },
    })
    expect(response.statusCode).toBe(500)
    expect(response.json().code).toBe('internal_error')
    expect(Object.keys(response.json()).toSorted()).toEqual(fieldsOf(500))
    const logged = own.seen.find(({ kind }) => kind === 'failed')
    expect(logged).toMatchObject({
      error: { message: expect.stringContaining('IO Error') },
      requestId: response.headers['x-request-id'],
    })
  })

  test.each(['overloaded', 'out_of_memory', 'deadline_exceeded'] as const)('are those of %s', code => {
    const { status, headers, body } = failed(new Failure(code, 'a reason'), 'an-id')
    expect(status).toBe(503)
    expect(body.code).toBe(code === 'deadline_exceeded' ? code : 'overloaded')
    expect(Object.keys(body).toSorted()).toEqual(fieldsOf(503))
    expect(headers).toHaveProperty('retry-after')
  })
})
