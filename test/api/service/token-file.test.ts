import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createToken, digestOf, readTokens, revokeToken } from '../../../src/api/service/token-file.ts'
import { startOf } from '../../../src/engine/owner.ts'
import { folderForTest, smallDisk } from '../../fixtures/folder.ts'

const NOBODY = { routes: ['*'], owner: null, expiresAt: null }
const fileForTest = () => join(folderForTest(), 'tokens.json')
const filled = (path: string, bytes: number) => writeFileSync(path, Buffer.alloc(bytes))

describe('a tokens file', () => {
  test('has the digest of a token and all that the token may do, and is for its owner only', async () => {
    vi.useFakeTimers({ now: Date.parse('2024-02-03T04:05:06.789Z'), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const file = join(folderForTest(), 'new', 'folder', 'tokens.json')
    const token = await createToken(file, {
      name: 'ann',
      routes: ['congress-*', '/api/x'],
      owner: 'ann',
      expiresAt: new Date('2030-01-31T00:00:00Z'),
    })
    await createToken(file, { name: 'ops', ...NOBODY, admin: true })
    await createToken(file, { name: 'me', ...NOBODY, admin: false })
    expect(token).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    const digest = createHash('sha256').update(token).digest('hex')
    expect([digestOf(token), digestOf(token.toUpperCase())]).toEqual([digest, digest])
    const [ann, ops, me] = readTokens(file)
    expect(ann).toEqual({
      name: 'ann',
      digest,
      routes: ['congress-*', '/api/x'],
      owner: 'ann',
      created_at: '2024-02-03T04:05:06.789Z',
      expires_at: '2030-01-31T00:00:00.000Z',
    })
    expect([ops?.admin, ops?.owner, ops?.expires_at]).toEqual([true, null, null])
    expect(me).not.toHaveProperty('admin')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain(token)
    expect(text).toBe(`${JSON.stringify({ format: 1, tokens: [ann, ops, me] }, null, 2)}\n`)
    expect(readdirSync(dirname(file))).toEqual(['tokens.json'])
  })

  test('that does not exist has no tokens', () => {
    expect(readTokens(fileForTest())).toEqual([])
  })

  const token = {
    name: 'me',
    digest: 'a'.repeat(64),
    routes: ['*'],
    owner: null,
    created_at: '2024-02-03T04:05:06.789Z',
    expires_at: null,
  }
  test.each<[text: string, why: string]>([
    ['{', 'Expected property name'],
    ...[
      {},
      { format: 2, tokens: [] },
      { format: 1, tokens: [{}] },
      { format: 1, tokens: [{ ...token, name: '' }] },
      { format: 1, tokens: [{ ...token, digest: 'A'.repeat(64) }] },
      { format: 1, tokens: [{ ...token, digest: 'a'.repeat(63) }] },
      { format: 1, tokens: [{ ...token, digest: `${token.digest}a` }] },
      { format: 1, tokens: [{ ...token, routes: '*' }] },
      { format: 1, tokens: [{ ...token, routes: [1] }] },
      { format: 1, tokens: [{ ...token, owner: 1 }] },
      { format: 1, tokens: [{ ...token, admin: 'no' }] },
      { format: 1, tokens: [{ ...token, created_at: 1 }] },
      { format: 1, tokens: [{ ...token, expires_at: 1 }] },
    ].map((wrong): [string, string] => [JSON.stringify(wrong), 'not a tokens file of this version']),
  ])('with %.30s… of wrong content %# cannot be read', async (text, why) => {
    const file = fileForTest()
    writeFileSync(file, text)
    const failure = {
      code: 'tokens_unreadable',
      message: expect.stringContaining(`the tokens file ${file} cannot be read (${why}`),
    }
    const advice = '): correct it, or remove it and create new tokens'
    expect(() => readTokens(file)).toThrow(expect.objectContaining(failure))
    expect(() => readTokens(file)).toThrow(advice)
    await expect(createToken(file, { name: 'b', ...NOBODY })).rejects.toMatchObject(failure)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(existsSync(`${file}.lock`)).toBe(false)
    writeFileSync(file, JSON.stringify({ format: 1, tokens: [token] }))
    expect(readTokens(file)).toEqual([token])
  })

  test('has each name once, and loses the token that is revoked', async () => {
    const file = fileForTest()
    for (const name of ['a', 'b', 'c']) await createToken(file, { name, ...NOBODY })
    await expect(createToken(file, { name: 'b', ...NOBODY })).rejects.toMatchObject({
      code: 'usage',
      message: 'a token named b exists already: revoke it first, or choose another name',
    })
    await revokeToken(file, 'b')
    expect(readTokens(file).map(({ name }) => name)).toEqual(['a', 'c'])
    await expect(revokeToken(file, 'b')).rejects.toMatchObject({
      code: 'usage',
      message: 'there is no token named b: run tapehouse token list to see the names',
    })
    expect(readTokens(file).map(({ name }) => name)).toEqual(['a', 'c'])
  })

  test('is not made to revoke a token', async () => {
    const folder = join(folderForTest(), 'data')
    await expect(revokeToken(join(folder, 'tokens.json'), 'b')).rejects.toMatchObject({ code: 'usage' })
    expect(existsSync(folder)).toBe(false)
  })
})

describe('a change of the tokens', () => {
  test('waits for the lock of another command, up to two seconds', { tags: 'slow' }, async () => {
    const file = fileForTest()
    writeFileSync(`${file}.lock`, '')
    const creating = createToken(file, { name: 'a', ...NOBODY })
    expect(existsSync(file)).toBe(false)
    rmSync(`${file}.lock`)
    await creating
    expect(readTokens(file).map(({ name }) => name)).toEqual(['a'])
    expect(existsSync(`${file}.lock`)).toBe(false)

    writeFileSync(`${file}.lock`, '')
    const begun = performance.now()
    await expect(createToken(file, { name: 'b', ...NOBODY })).rejects.toMatchObject({
      code: 'tokens_unreadable',
      message: `another command has locked the tokens file: wait for it, or remove ${file}.lock if no command is running`,
    })
    expect(performance.now() - begun).toBeGreaterThan(1900)
    expect(existsSync(`${file}.lock`)).toBe(true)
  })

  test('removes the lock of a command that was killed, and of no other', { tags: 'slow' }, async () => {
    const file = fileForTest()
    const child = spawn('sleep', ['60'])
    onTestFinished(() => void child.kill('SIGKILL'))
    const lock = JSON.stringify({ host: hostname(), pid: child.pid, start: startOf(Number(child.pid)) })
    writeFileSync(`${file}.lock`, lock)
    await expect(createToken(file, { name: 'a', ...NOBODY })).rejects.toMatchObject({
      message: expect.stringContaining('another command has locked the tokens file'),
    })
    expect(readFileSync(`${file}.lock`, 'utf8')).toBe(lock)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await Promise.all(['a', 'b', 'c'].map(name => createToken(file, { name, ...NOBODY })))
    expect(
      readTokens(file)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['a', 'b', 'c'])
    expect(readdirSync(dirname(file))).toEqual(['tokens.json'])
    // Of another host nothing is known.
    writeFileSync(`${file}.lock`, JSON.stringify({ host: 'elsewhere', pid: child.pid, start: 1 }))
    await expect(createToken(file, { name: 'd', ...NOBODY })).rejects.toMatchObject({
      message: expect.stringContaining('another command has locked the tokens file'),
    })
  })

  test('keeps its permissions, its owner and its group when it changes', async () => {
    const file = fileForTest()
    await createToken(file, { name: 'ann', ...NOBODY })
    chmodSync(file, 0o640)
    const isRoot = process.getuid?.() === 0
    if (isRoot) chownSync(file, 1234, 1235)
    const access = () => {
      const { mode, uid, gid } = statSync(file)
      return { mode: mode & 0o777, uid, gid }
    }
    const before = access()
    expect(before).toMatchObject({ mode: 0o640, ...(isRoot ? { uid: 1234, gid: 1235 } : {}) })
    await createToken(file, { name: 'ben', ...NOBODY })
    expect(access()).toEqual(before)
    await revokeToken(file, 'ann')
    expect(access()).toEqual(before)
    expect(readTokens(file).map(({ name }) => name)).toEqual(['ben'])
  })

  test.runIf(process.getuid?.() === 0)(
    'grants nothing to another group than it did, if a user cannot keep it',
    async () => {
      // Other users cannot enter the folder of the run.
      const folder = mkdtempSync('/tmp/tapehouse-test-')
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const file = join(folder, 'tokens.json')
      await createToken(file, { name: 'ann', ...NOBODY })
      chmodSync(file, 0o644)
      chownSync(file, 1234, 1235)
      chmodSync(folder, 0o777)
      process.setegid?.(4321)
      process.seteuid?.(4321)
      try {
        await createToken(file, { name: 'ben', ...NOBODY })
      } finally {
        process.seteuid?.(0)
        process.setegid?.(0)
      }
      const { mode, uid, gid } = statSync(file)
      expect({ mode: mode & 0o777, uid, gid }).toEqual({ mode: 0o604, uid: 4321, gid: 4321 })
    },
  )

  test('behind a symbolic link changes in its place', async () => {
    const file = fileForTest()
    await createToken(file, { name: 'ann', ...NOBODY })
    const link = join(folderForTest(), 'link.json')
    symlinkSync(file, link)
    await createToken(link, { name: 'ben', ...NOBODY })
    await revokeToken(link, 'ann')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readTokens(file).map(({ name }) => name)).toEqual(['ben'])
  })

  test('takes the place of what a killed one left, whatever its permissions', async () => {
    const file = fileForTest()
    writeFileSync(`${file}.next`, 'x'.repeat(100_000))
    chmodSync(`${file}.next`, 0o666)
    await createToken(file, { name: 'a', ...NOBODY })
    expect(readTokens(file).map(({ name }) => name)).toEqual(['a'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('that the disk has no space for leaves the file as it was, and says so in one line', async ({
    skip,
  }) => {
    const disk = smallDisk(64 * 1024, skip)
    const file = join(disk, 'tokens.json')
    await createToken(file, { name: 'a', ...NOBODY })
    const before = readFileSync(file, 'utf8')
    for (let pages = 16; pages > 0; pages -= 1)
      try {
        filled(join(disk, `filler-${pages}`), 4096)
      } catch {
        // Full.
      }
    const failure = {
      code: 'tokens_unreadable',
      message: expect.stringMatching(
        /^the tokens file \S+ cannot be written, and is as it was \(ENOSPC: .*\): free some disk space, or correct the permissions of its folder$/,
      ),
    }
    await expect(createToken(file, { name: 'b', ...NOBODY })).rejects.toMatchObject(failure)
    await expect(revokeToken(file, 'a')).rejects.toMatchObject(failure)
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(readdirSync(disk).filter(name => !name.startsWith('filler'))).toEqual(['tokens.json'])
  })

  test('in a folder that cannot be made says so', async () => {
    const folder = folderForTest()
    writeFileSync(join(folder, 'file'), '')
    await expect(
      createToken(join(folder, 'file', 'tokens.json'), { name: 'a', ...NOBODY }),
    ).rejects.toMatchObject({
      code: 'tokens_unreadable',
      message: expect.stringContaining('cannot be written, and is as it was (EEXIST'),
    })
    mkdirSync(join(folder, 'tokens.json'))
    await expect(createToken(join(folder, 'tokens.json'), { name: 'a', ...NOBODY })).rejects.toMatchObject({
      code: 'tokens_unreadable',
      message: expect.stringContaining('cannot be read (EISDIR'),
    })
  })
})
