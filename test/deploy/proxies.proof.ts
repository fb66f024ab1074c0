import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { serving } from '../cli/process.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { isInstalled, PROXIES, proxyBefore } from './proxy.ts'

describe.each(Object.keys(PROXIES))('%s', name => {
  test.skipIf(!isInstalled(name))(
    `answers, forwards sockets, and logs no token (needs the package ${name})`,
    async () => {
      const tokens = join(folderForTest(), 'tokens.json')
      const token = await createToken(tokens, { name: 'me', routes: ['*'], owner: null, expiresAt: null })
      const lake = await sharedMarket('whole')
      const server = await serving([
        '--lake',
        lake,
        '--tokens',
        tokens,
        '--workers',
        '1',
        '--replay-speed',
        '600',
      ])
      const proxy = await proxyBefore(name, Number(new URL(server.url).port))
      const authorization = `Bearer ${token}`
      const path = '/api/stock/ACME/oi-per-expiry'

      // The bytes and headers of the server.
      const direct = await fetch(`${server.url}${path}`, {
        headers: { authorization, 'accept-encoding': 'identity' },
      })
      const answered = await proxy.get(path, { authorization })
      expect(answered.status).toBe(200)
      expect(answered.body).toBe(await direct.text())
      expect(answered.headers).toMatchObject({ etag: direct.headers.get('etag') })
      const etag = direct.headers.get('etag') ?? ''
      expect((await proxy.get(path, { authorization, 'if-none-match': etag })).status).toBe(304)
      expect((await proxy.get(path)).status).toBe(401)
      // An address longer than the server permits is refused by the server, with its body.
      const long = await proxy.get(`${path}?date=${'1'.repeat(17_000)}`, { authorization })
      expect([long.status, JSON.parse(long.body)]).toMatchObject([414, { code: expect.any(String) }])

      // A channel of the socket, with the token in the address.
      const socket = proxy.socket(`/api/socket?token=${token}`)
      await once(socket, 'open')
      socket.send(JSON.stringify({ channel: 'option_trades', msg_type: 'join' }))
      const [first] = await once(socket, 'message')
      expect(JSON.parse(String(first))).toEqual(['option_trades', { response: {}, status: 'ok' }])
      socket.terminate()
      const refused = proxy.socket(`/api/socket?token=${token.replace(/./, 'g')}`)
      const [failure] = await once(refused, 'error')
      expect(String(failure)).toContain('401')

      // Tokens of requests that succeed, are refused, come with a referrer, and fail because the server is down.
      await proxy.get(`${path}?token=${token}`, {
        authorization,
        referer: `https://a.example/?token=${token}`,
      })
      expect(await server.stop()).toBe(0)
      expect((await proxy.get(`${path}?token=${token}`)).status).toBe(502)
      await expect.poll(() => proxy.logged(), { timeout: 10_000 }).toMatch(/\b502\b/)
      expect(proxy.logged()).toContain(path)
      expect(proxy.logged()).not.toContain(token.slice(1))
    },
    120_000,
  )
})
