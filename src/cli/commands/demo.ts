import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Serving } from '../../api/process/supervisor.ts'
import { createToken, readTokens, revokeToken } from '../../api/service/token-file.ts'
import { isGenerated } from '../../lake/generate/generate.ts'
import { DAY_MS } from '../../market/day.ts'
import { SETTINGS, type Settings } from '../command/settings.ts'
import { generateInto } from './generate.ts'

const TOKEN_NAME = 'development'
const TOKEN_LIFE_MS = 7 * DAY_MS

/** Settings for a first look: a lake and tokens of its own, and only warnings on the terminal, unless told otherwise. */
export function demoSettings(asked: Settings): Settings {
  const instead = <Name extends 'lake' | 'tokens' | 'logLevel'>(
    name: Name,
    value: Settings[Name],
  ): Settings[Name] => (asked[name] === SETTINGS[name].default ? value : asked[name])
  return {
    ...asked,
    lake: instead('lake', 'data/demo/lake'),
    tokens: instead('tokens', 'data/demo/tokens.json'),
    logLevel: instead('logLevel', 'warn'),
  }
}

/** Makes the demo lake unless it is there as this version would make it. */
export async function makeDemoLake(settings: Settings): Promise<void> {
  const { lake } = settings
  const options = {
    seed: 1,
    days: settings.demoDays,
    tickers: settings.demoTickers,
    tradesPerDay: settings.demoTrades,
  }
  if (!(await isGenerated(lake, options))) {
    process.stderr.write('Making a synthetic market to look at, once …\n')
    await mkdir(resolve(lake), { recursive: true })
    await generateInto(settings, options)
  }
}

/** Makes the demo lake, and a new development token in place of the last one. */
export async function makeDemo(settings: Settings): Promise<string> {
  const { tokens } = settings
  await makeDemoLake(settings)
  if (readTokens(tokens).some(({ name }) => name === TOKEN_NAME)) await revokeToken(tokens, TOKEN_NAME)
  return createToken(tokens, {
    name: TOKEN_NAME,
    routes: ['*'],
    owner: null,
    expiresAt: new Date(Date.now() + TOKEN_LIFE_MS),
  })
}

/** What the terminal shows of a running demo: an address, a token, and a line to paste. */
export function welcome({ url, adminUrl }: Serving, token: string): string {
  const query =
    'symbols=ACME,BRASS,CEDAR&range=1year&calculations=MEAN,STDDEV(annualized=True),MAX_DRAWDOWN,CORRELATION'
  return `
tapehouse serves a demo lake at ${url}
  reference          ${url}/api/docs
  development token  ${token}
  health, metrics    ${adminUrl}/-/ready  ${adminUrl}/-/metrics

Try:
  curl -H 'Authorization: Bearer ${token}' '${url}/api/analytics/window?${query}'

Ctrl-C stops it.
`
}
