import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { type Server, serving, tapehouse } from '../cli/process.ts'
import { folderForTest } from '../fixtures/lake.ts'

const BARS = [
  'Date,Open,High,Low,Close,Volume,Name',
  '2024-03-04,101.00,121.00,100.50,120.00,1200000,MINE',
  '2024-03-05,118.00,119.50,89.00,90.00,1500000,MINE',
]
/** The price falls from 120 to 90, and then to 30: drawdowns of a quarter and of three quarters. */
const [BEFORE, AFTER] = ['-0.25', '-0.75']
const FALL = '2024-03-06,40.00,41.00,29.00,30.00,1400000,MINE'

test('two servers of one lake answer during an import, change to its snapshot, and write nothing to the lake', async () => {
  const folder = folderForTest()
  const [lake, tokens, file] = ['lake', 'tokens.json', 'bars.csv'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const importBars = async (lines: readonly string[]) => {
    writeFileSync(file, `${lines.join('\n')}\n`)
    const { code, stderr } = await tapehouse(['import', 'daily-bars', file, '--lake', lake])
    expect(code, stderr).toBe(0)
  }
  const token = await createToken(tokens, { name: 'me', routes: ['*'], owner: null, expiresAt: null })
  const ask = async ({ url }: Server) => {
    const response = await fetch(
      `${url}/api/analytics/window?symbols=MINE&range=full&calculations=MAX_DRAWDOWN`,
      { headers: { authorization: `Bearer ${token}` } },
    )
    const [, drawdown] = /"max_drawdown":([-\d.]+)/.exec(await response.text()) ?? []
    const { headers, status } = response
    return { status, drawdown, snapshot: headers.get('x-tapehouse-snapshot'), etag: headers.get('etag') }
  }

  await importBars(BARS)
  const held = readdirSync(lake, { recursive: true }).toSorted()
  const servers = await Promise.all(
    [1, 2].map(() => serving(['--lake', lake, '--tokens', tokens, '--workers', '1'])),
  )
  const [one, other] = await Promise.all(servers.map(ask))
  expect(one).toMatchObject({ status: 200, drawdown: BEFORE, snapshot: '1' })
  expect(other).toEqual(one)
  expect(readdirSync(lake, { recursive: true }).toSorted()).toEqual(held)

  let isImporting = true
  const importing = importBars([...BARS, FALL]).finally(() => {
    isImporting = false
  })
  const changed = async (server: Server) => {
    for (let asked = 1; ; asked += 1) {
      const late = !isImporting
      const answer = await ask(server)
      expect(answer).toMatchObject(
        answer.snapshot === '1'
          ? { status: 200, drawdown: BEFORE, etag: one?.etag }
          : { status: 200, drawdown: AFTER },
      )
      if (late && answer.drawdown === AFTER) return { asked, answer }
    }
  }
  const [first, second] = await Promise.all(servers.map(changed))
  await importing
  // They were asked while the import ran, and more than once.
  expect(Math.min(first?.asked ?? 0, second?.asked ?? 0)).toBeGreaterThan(2)
  expect(Number(first?.answer.snapshot)).toBeGreaterThan(1)
  expect(second?.answer).toEqual(first?.answer)
  expect(await Promise.all(servers.map(server => server.stop()))).toEqual([0, 0])
}, 120_000)
