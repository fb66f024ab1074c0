import { rmSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf } from '../../../src/api/http/document.ts'
import { flatDay, makeLake, temporaryFolder } from '../../fixtures/lake.ts'
import { openService, type TestService } from '../../fixtures/service.ts'

const folder = temporaryFolder()
let service: TestService
beforeAll(async () => {
  service = await openService(folder, await makeLake(folder, { days: [flatDay('ONE', '2024-01-02', '100')] }))
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  service.server.inject({ method, url, headers })

describe.each(['/api/openapi.json', '/api/docs'])('%s', url => {
  test('needs no token, and is the same in each coding', async () => {
    const plain = await get(url)
    expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined])
    expect(plain.headers['cache-control']).toBe('no-cache')
    expect(plain.headers.vary).toBe('Accept, Accept-Encoding')
    const gzip = await get(url, { 'accept-encoding': 'gzip' })
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true)
    const brotli = await get(url, { 'accept-encoding': 'br' })
    expect(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(gzip.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
    expect(new Set([plain, gzip, brotli].map(({ headers }) => headers.etag)).size).toBe(3)
  })

  test('is a 304 while its ETag is current, and HEAD has the headers of GET', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    const first = await get(url, headers)
    const etag = String(first.headers.etag)
    expect(etag).toMatch(/^"[\w.-]+"$/)
    const again = await get(url, { ...headers, 'if-none-match': etag })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    expect((await get(url, { ...headers, 'if-none-match': '"other"' })).statusCode).toBe(200)
    expect((await get(url, { 'if-none-match': etag })).statusCode).toBe(200)
    const head = await get(url, headers, 'HEAD')
    expect([head.statusCode, head.body]).toEqual([200, ''])
    for (const name of ['etag', 'content-type', 'content-length', 'content-encoding', 'vary'])
      expect(head.headers[name], name).toBe(first.headers[name])
  })

  test('names the address of the server, whatever the client calls it', async () => {
    const tags = new Set<unknown>()
    for (const host of ['host1.example.org', 'host2.example.org', '[']) {
      const { body, headers } = await get(url, { host, 'x-forwarded-host': host })
      expect(body).toContain('http://localhost')
      expect(body).not.toContain('host1.example')
      tags.add(headers.etag)
    }
    expect(tags.size).toBe(1)
  })
})

test('a document is encoded once per coding', async () => {
  const document = documentOf('text '.repeat(1000))
  expect(await document('gzip')).toBe(await document('gzip'))
  expect(await document('br')).not.toBe(await document('gzip'))
})
