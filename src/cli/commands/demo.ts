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

/** The settings with other defaults for the demo: a separate lake and tokens file, and only warnings in the log. */
export function demoSettings(settings: Settings): Settings {
  const withDefault = <Name extends 'lake' | 'tokens' | 'logLevel'>(
    name: Name,
    value: Settings[Name],
  ): Settings[Name] => (settings[name] === SETTINGS[name].default ? value : settings[name])
  return {
    ...settings,
    lake: withDefault('lake', 'data/demo/lake'),
    tokens: withDefault('tokens', 'data/demo/tokens.json'),
    logLevel: withDefault('logLevel', 'warn'),
  }
}

/** Generates the demo lake unless this version has generated it already with the same options. */
export async function makeDemoLake(settings: Settings): Promise<void> {
  const { lake } = settings
  const options = {
    seed: 1,
    days: settings.demoDays,
    tickers: settings.demoTickers,
    tradesPerDay: settings.demoTrades,
  }
  if (!(await isGenerated(lake, options))) {
    process.stderr.write('Generating the demo market (later starts reuse it) …\n')
    await mkdir(resolve(lake), { recursive: true })
    await generateInto(settings, options)
  }
}

/** Generates the demo lake and replaces the development token. Returns the new token. */
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

/** The message about a running demo: its URL, the token and an example request. */
export function welcome({ url, adminUrl }: Serving, token: string): string {
  const query =
    'symbols=ACME,BRASS,CEDAR&range=1year&calculations=MEAN,STDDEV(annualized=True),MAX_DRAWDOWN,CORRELATION'
  return `
Serving the demo lake at ${url}
  reference          ${url}/api/docs
  development token  ${token}
  health, metrics    ${adminUrl}/-/ready  ${adminUrl}/-/metrics

Try:
  curl -H 'Authorization: Bearer ${token}' '${url}/api/analytics/window?${query}'

Press Ctrl-C to stop.
`
}
