import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { followTokens } from '../../../src/api/service/grant.ts'
import { createToken, revokeToken } from '../../../src/api/service/token-file.ts'
import { folderForTest } from '../../fixtures/lake.ts'

test('a change of the tokens file takes effect within half a second, both ways', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = join(folderForTest(), 'tokens.json')
  const grants = followTokens(file, () => {})
  onTestFinished(() => grants.close())
  const token = await createToken(file, { name: 'late', routes: ['*'], owner: null, expiresAt: null })
  expect(grants.find(token)).toBeNull()
  vi.advanceTimersByTime(500)
  expect(grants.find(token)).toMatchObject({ name: 'late' })
  await revokeToken(file, 'late')
  vi.advanceTimersByTime(500)
  expect(grants.find(token)).toBeNull()
})
