import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '../../../src/api/service/token-file.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { serveForTest, type TestService } from '../../fixtures/service.ts'
import { goldenLake } from '../../golden/lake.ts'

/** Between these times there is one alert of Bob, one of Ann and, first, one without an owner. */
const PATH = '/api/alerts?newer_than=2024-01-12T14:54:00Z&older_than=2024-01-12T14:58:00Z'

const folder = temporaryFolder()
let service: TestService
const tokens: Record<string, string> = {}

beforeAll(async () => {
  const source = fileURLToPath(new URL('../../golden/alerts/lake', import.meta.url))
  const { snapshot, engine } = await goldenLake(source, folder)
  await engine.close()
  service = await serveForTest(folder, snapshot.lake)
  for (const [name, owner, admin] of [
    ['ann', 'ann', false],
    ['bob', 'bob', false],
    ['carl', 'carl', false],
    ['admin', null, true],
  ] as const)
    tokens[name] = await createToken(service.tokensFile, {
      name,
      routes: ['alerts'],
      owner,
      admin,
      expiresAt: null,
    })
  tokens.nobody = service.token
  const { admin = '' } = tokens
  await service.until(() => service.grants.find(admin) !== null)
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (name: string, etag = '') =>
  service.server.inject({
    url: PATH,
    headers: { authorization: `Bearer ${tokens[name]}`, ...(etag ? { 'if-none-match': etag } : {}) },
  })
const namesFor = async (name: string) =>
  (JSON.parse((await ask(name)).body) as { data: { name: string }[] }).data.map(alert => alert.name)

describe('alerts', () => {
  const seen: [token: string, names: string[]][] = [
    ['nobody', ['flex']],
    ['ann', ['flex', 'anns']],
    ['bob', ['flex', 'bobs']],
    ['carl', ['flex']],
    ['admin', ['flex', 'bobs', 'anns']],
  ]

  // Twice, because the second response comes from the cache.
  test.each([...seen, ...seen])('are shown to the token of %s: %j', async (token, names) => {
    expect(await namesFor(token)).toEqual(names)
  })

  test('of one owner are never taken for those of another', async () => {
    const tag = String((await ask('ann')).headers.etag)
    expect((await ask('ann', tag)).statusCode).toBe(304)
    for (const other of ['bob', 'carl', 'admin', 'nobody'])
      expect((await ask(other, tag)).statusCode).toBe(200)
  })
})
