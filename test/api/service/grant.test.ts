import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { followTokens } from '../../../src/api/service/grant.ts'
import { createToken, revokeToken } from '../../../src/api/service/token-file.ts'
import { folderForTest } from '../../fixtures/folder.ts'

test('a new token is valid at once, and one that is revoked is refused within half a second', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = join(folderForTest(), 'tokens.json')
  const grants = followTokens(file, () => {})
  onTestFinished(() => grants.close())
  const token = await createToken(file, { name: 'late', routes: ['*'], owner: null, expiresAt: null })
  const grant = grants.find(token)
  expect(grant).toMatchObject({ name: 'late' })
  expect(grant && grants.isValid(grant)).toBe(true)
  await revokeToken(file, 'late')
  vi.advanceTimersByTime(500)
  expect(grants.find(token)).toBeNull()
  expect(grant && grants.isValid(grant)).toBe(false)
})

test('an unknown token does not end the service of the others when the tokens file is damaged', async () => {
  const file = join(folderForTest(), 'tokens.json')
  const token = await createToken(file, { name: 'me', routes: ['*'], owner: null, expiresAt: null })
  const refused: string[] = []
  const grants = followTokens(file, observation => {
    if (observation.kind === 'tokens_refused') refused.push(observation.reason)
  })
  onTestFinished(() => grants.close())
  writeFileSync(file, '{')
  expect(grants.find(randomUUID())).toBeNull()
  expect(grants.find(randomUUID())).toBeNull()
  expect(grants.find(token)).toMatchObject({ name: 'me' })
  expect(refused).toHaveLength(1)
})
