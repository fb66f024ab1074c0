import { existsSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { flatDay, makeLake, temporaryFolder } from '../../fixtures/lake.ts'
import { openService, type TestService } from '../../fixtures/service.ts'

/** A page of another origin asks a server in a real browser, which decides by the headers what the page may read. */

const CHROMIUM = '/usr/bin/chromium'
const PATH = '/api/analytics/window?symbols=ONE&range=full&calculations=MEAN'
const folder = temporaryFolder()
const opened: { close(): unknown }[] = []
const originOf = (server: Server) => `http://localhost:${(server.address() as AddressInfo).port}`
let origin = ''
let lake = ''
beforeAll(async () => {
  lake = await makeLake(folder, { days: [flatDay('ONE', '2024-01-02', '100')] })
  const pages = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<p>'),
  )
  await new Promise<void>(resolve => {
    pages.listen(0, '127.0.0.1', resolve)
  })
  opened.push(pages)
  origin = originOf(pages)
})
afterAll(async () => {
  for (const each of opened) await each.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Run in the page: what it can read of a response; the error's name if the browser keeps it back. */
const READ = `async ({ url, token }) => {
  const outcome = []
  for (const path of ['${PATH}', '/api/nowhere']) {
    try {
      const response = await fetch(url + path, { headers: { authorization: 'Bearer ' + token } })
      const etag = response.headers.get('etag')
      const again = etag && await fetch(url + path, {
        headers: { authorization: 'Bearer ' + token, 'if-none-match': etag },
        cache: 'no-store',
      })
      outcome.push([
        response.status,
        Object.keys(await response.json()),
        response.headers.get('x-tapehouse-snapshot'),
        again && again.status,
      ])
    } catch (error) {
      outcome.push(error.name)
    }
  }
  return outcome
}`

test.skipIf(!existsSync(CHROMIUM))(
  'in chromium, a page of another origin reads responses if the setting permits it, and nothing otherwise',
  async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    opened.push(browser)
    const page = await browser.newPage()
    await page.goto(origin)
    const readFrom = async ({ server, token }: TestService) => {
      await server.listen({ host: '127.0.0.1', port: 0 })
      const call = JSON.stringify({ url: originOf(server.server), token })
      return page.evaluate(`(${READ})(${call})`)
    }
    const services = []
    for (const corsOrigins of [undefined, ['http://localhost:1'], [origin], '*' as const]) {
      const service = await openService(folder, lake, corsOrigins === undefined ? {} : { corsOrigins })
      opened.push(service)
      services.push(service)
    }
    const outcomes = []
    for (const service of services) outcomes.push(await readFrom(service))
    const nothing = ['TypeError', 'TypeError']
    const everything = [
      [200, ['data'], '1', 304],
      [404, ['code', 'message', 'request_id'], null, null],
    ]
    expect(outcomes).toEqual([nothing, nothing, everything, everything])
  },
  60_000,
)
