import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { followTokens, matches } from '../../../src/api/service/grant.ts'
import type { StoredToken } from '../../../src/api/service/token-file.ts'
import type { Observation } from '../../../src/engine/observation.ts'
import { folderForTest } from '../../fixtures/folder.ts'

const uuid = (last: string) => `00000000-0000-4000-8000-00000000000${last}`
const digest = (token: string) => createHash('sha256').update(token).digest('hex')
const stored = (token: string, more: Partial<StoredToken> = {}): StoredToken => ({
  name: token.slice(-1),
  digest: digest(token),
  routes: ['*'],
  owner: null,
  created_at: '2024-01-02T00:00:00.000Z',
  expires_at: null,
  ...more,
})

/** Follows a tokens file under timers that the test advances. */
function followed(tokens: readonly StoredToken[]) {
  vi.useFakeTimers({ now: Date.parse('2024-02-03T00:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const file = join(folderForTest(), 'tokens.json')
  const write = (now: readonly StoredToken[]) =>
    writeFileSync(file, JSON.stringify({ format: 1, tokens: now }))
  write(tokens)
  const seen: Observation[] = []
  const grants = followTokens(file, observation => seen.push(observation))
  onTestFinished(() => grants.close())
  return { file, write, seen, grants }
}

const WINDOW = { id: 'analytics-window', path: '/api/analytics/window' }
const TRADES = { id: 'stream.option_trades', path: '/api/socket' }

test.each<[pattern: string, route: typeof WINDOW, isMatch: boolean, isReached: boolean]>([
  ['*', WINDOW, true, true],
  ['analytics-window', WINDOW, true, true],
  ['analytics-*', WINDOW, true, true],
  ['*-window', WINDOW, true, true],
  ['a*-w*w', WINDOW, true, true],
  ['analytics', WINDOW, false, false],
  ['window', WINDOW, false, false],
  ['analytics-window-2', WINDOW, false, true],
  ['analytics.window', WINDOW, false, false],
  ['', WINDOW, false, false],
  ['/api/analytics/window', WINDOW, true, true],
  ['/api/*', WINDOW, true, true],
  ['/api/analytics', WINDOW, false, false],
  ['/api/analytics/window/', WINDOW, false, false],
  ['/analytics-window', WINDOW, false, false],
  ['stream.option_trades', TRADES, true, true],
  ['stream.option_trades.ACME', TRADES, false, true],
  ['stream.option_trades*', TRADES, true, true],
  ['stream*', TRADES, true, true],
  ['stream-option_trades', TRADES, false, false],
  ['stream.chain_frags*', TRADES, false, false],
  ['stream', TRADES, false, false],
  ['/api/socket', TRADES, true, true],
  ['/api/sockets', TRADES, false, false],
])('the pattern %j and the route %j: matches %s, reaches %s', (pattern, route, isMatch, isReached) => {
  expect(matches(pattern, route)).toBe(isMatch)
  const { grants } = followed([stored(uuid('1'), { routes: ['nothing', pattern] })])
  const grant = grants.find(uuid('1'))
  expect([grant?.allows(route), grant?.reaches(route)]).toEqual([isMatch, isReached])
})

test('a grant is what the file says, and no admin unless it says so', () => {
  const { grants } = followed([
    stored(uuid('1'), { owner: 'ann' }),
    stored(uuid('2'), { admin: true }),
    stored(uuid('3'), { admin: false, routes: [] }),
  ])
  const shown = ['1', '2', '3'].map(last => {
    const grant = grants.find(uuid(last))
    return [grant?.name, grant?.owner, grant?.admin, grant?.allows(WINDOW), grant?.reaches(WINDOW)]
  })
  expect(shown).toEqual([
    ['1', 'ann', false, true, true],
    ['2', null, true, true, true],
    ['3', null, false, false, false],
  ])
  expect(grants.find(uuid('1').toUpperCase())?.name).toBe('1')
  expect(grants.find(uuid('4'))).toBeNull()
})

test('a token is valid until its expiry, and not at it', () => {
  const { grants } = followed([
    stored(uuid('1'), { expires_at: '2024-02-03T00:00:01.000Z' }),
    stored(uuid('2')),
    stored(uuid('3'), { expires_at: '2024-02-02T23:59:59.999Z' }),
  ])
  expect(grants.find(uuid('3'))).toBeNull()
  vi.setSystemTime(Date.parse('2024-02-03T00:00:00.999Z'))
  expect(grants.find(uuid('1'))?.name).toBe('1')
  vi.setSystemTime(Date.parse('2024-02-03T00:00:01.000Z'))
  expect(grants.find(uuid('1'))).toBeNull()
  // A clock that jumps far ahead and back changes nothing else.
  vi.setSystemTime(Date.parse('2124-02-03T00:00:00Z'))
  expect(grants.find(uuid('2'))?.name).toBe('2')
  vi.setSystemTime(Date.parse('2024-02-03T00:00:00Z'))
  expect(grants.find(uuid('1'))?.name).toBe('1')
})

test('the file is read when it has changed, in place too, and its tokens end with it', () => {
  const { file, write, seen, grants } = followed([stored(uuid('1'))])
  const loaded = { kind: 'tokens_loaded', tokens: 1 }
  expect(seen).toEqual([loaded])
  vi.advanceTimersByTime(2000)
  expect(grants.find(uuid('9'))).toBeNull()
  expect(seen).toEqual([loaded])
  // The same file with as many bytes.
  write([stored(uuid('2'))])
  // A token that is known costs no look at the file.
  expect(grants.find(uuid('1'))?.name).toBe('1')
  vi.advanceTimersByTime(399)
  expect(grants.find(uuid('1'))?.name).toBe('1')
  vi.advanceTimersByTime(1)
  expect(grants.find(uuid('1'))).toBeNull()
  expect(grants.find(uuid('2'))?.name).toBe('2')
  expect(seen).toEqual([loaded, loaded])
  rmSync(file)
  vi.advanceTimersByTime(400)
  expect(grants.find(uuid('2'))).toBeNull()
  expect(seen).toEqual([loaded, loaded, { kind: 'tokens_loaded', tokens: 0 }])
  write([stored(uuid('1')), stored(uuid('2'))])
  expect(grants.find(uuid('2'))?.name).toBe('2')
  expect(seen.at(-1)).toEqual({ kind: 'tokens_loaded', tokens: 2 })
  grants.close()
  rmSync(file)
  vi.advanceTimersByTime(4000)
  expect(grants.find(uuid('2'))?.name).toBe('2')
})

test('a file that cannot be read is reported once, and again after it could be read', () => {
  const { file, write, seen, grants } = followed([stored(uuid('1'))])
  const refusals = () => seen.flatMap(each => (each.kind === 'tokens_refused' ? [each.reason] : []))
  for (const round of [1, 2]) {
    writeFileSync(file, '{')
    vi.advanceTimersByTime(1200)
    expect(refusals()).toHaveLength(round)
    expect(refusals().at(-1)).toContain(`the tokens file ${file} cannot be read (`)
    expect(grants.find(uuid('1'))?.name).toBe('1')
    write([stored(uuid('1'), { name: `${round}` })])
    vi.advanceTimersByTime(400)
    expect(grants.find(uuid('1'))?.name).toBe(`${round}`)
  }
})
