import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { read, root } from './source.ts'
import { stableLines } from './stable.ts'

/**
 * What docs/compatibility.md calls stable, one line for each thing. `npm run stable` adds what is new; lines that no longer
 * hold are removed by hand, on purpose.
 */
const LIST = 'test/house/stable.txt'

const committed = existsSync(join(root, LIST)) ? read(LIST).trimEnd().split('\n') : []
const present = await stableLines()

describe('what is stable', () => {
  test('has not been removed or changed', () => {
    const gone = committed.filter(line => !present.includes(line))
    expect(
      gone,
      [
        'These are stable (docs/compatibility.md), and are gone or changed:',
        ...gone.map(line => `  ${line}`),
        'Keep each of them and deprecate it, as docs/compatibility.md says.',
        `If the change is intended, remove its line from ${LIST} and describe it in CHANGELOG.md.`,
      ].join('\n'),
    ).toEqual([])
  })

  test('is listed: npm run stable', async () => {
    const complete = [...new Set([...committed, ...present])].toSorted()
    await expect(`${complete.join('\n')}\n`).toMatchFileSnapshot('stable.txt')
  })

  test('covers every kind of thing that docs/compatibility.md names', () => {
    const [, table = ''] = /^\| Lines \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(read('docs/compatibility.md')) ?? []
    const kinds = [...table.matchAll(/^\| `([a-z ]+)` \|/gm)].map(([, kind = '']) => kind)
    const kindOf = (line: string) => kinds.find(kind => line.startsWith(`${kind} `)) ?? line
    expect([...new Set(present.map(kindOf))].toSorted()).toEqual(kinds.toSorted())
  })

  test('includes what is known to be stable', () => {
    expect(present).toEqual(
      expect.arrayContaining([
        'route GET /api/socket',
        'operation oi-per-expiry GET /api/stock/{ticker}/oi-per-expiry',
        'parameter oi-per-expiry query date optional string(date)',
        'parameter analytics-window query interval value "DAILY"',
        'field oi-per-expiry data[].call_oi integer or null',
        'error response 403 missing_access',
        'failure invalid_request status 422 exit 2',
        'message ChainFrag 1 option_symbol string',
        'flag demo --remake without a value',
        'setting --port TAPEHOUSE_PORT integer default 8787',
        'lake format 1',
        'dataset daily_bars column close DECIMAL(18,6)',
        'import format sec-13f --cik',
        'metric tapehouse_requests_total counter operation method status',
      ]),
    )
  })
})
