import cluster from 'node:cluster'
import { assertPortFree } from '../../api/process/free-port.ts'
import { createToken, readTokens, revokeToken } from '../../api/service/token-file.ts'
import type { Serving } from '../../api/supervise/supervisor.ts'
import { firstLine } from '../../engine/failure.ts'
import { endStatements } from '../../engine/running/statements.ts'
import { DAY_MS } from '../../market/day.ts'
import { assertOnlyFlags } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { SETTINGS, type Settings } from '../command/settings.ts'
import { holdSignals, INTERRUPT_MS, reportInterrupt } from '../terminal/interrupt.ts'
import { note } from '../terminal/note.ts'
import { beginDemo, completeDemo, type DemoState, demoState, whyOther } from './demo-lake.ts'
import { SERVE_SETTINGS, serveLake } from './serve.ts'

const TOKEN_PREFIX = 'demo-'
const TOKEN_LIFE_MS = 7 * DAY_MS

/** Defaults of a demo: a lake and tokens of its own, only warnings in the log, and an admin port beside the port. */
export const demoDefaults = ({ port }: Partial<Settings>): Partial<Settings> => ({
  lake: 'data/demo/lake',
  tokens: 'data/demo/tokens.json',
  logLevel: 'warn',
  ...(port === undefined ? {} : { adminPort: adminPortBeside(port) }),
})

const adminPortBeside = (port: number) => (port === 0 ? 0 : port < SETTINGS.port.max ? port + 1 : port - 1)

export const demo: Command = {
  name: 'demo',
  usage: '[flags]',
  details:
    'Serves a synthetic market. The first start generates its last two sessions, serves them, and generates the rest meanwhile; later starts serve what is there. A demo that was generated with other flags is served as it is, unless --remake is given.',
  examples: ['tapehouse demo', 'tapehouse demo --port 9000', 'tapehouse demo --demo-days 5 --remake'],
  settings: [...SERVE_SETTINGS, 'demoDays', 'demoTickers', 'demoTrades'],
  defaults: demoDefaults,
  flags: {
    remake: {
      help: 'Generate the demo again, if its lake was generated with other flags or by another version.',
    },
  },
  run: async ({ positionals, settings, flags }) => {
    assertOnlyFlags(demo, positionals)
    if (cluster.isWorker) return serveLake(settings, () => {})
    await assertPortFree(settings.host, settings.port, '--port')
    await assertPortFree(settings.adminHost, settings.adminPort, '--admin-port')
    const state = await begin(settings, flags.remake?.length === 1)
    // From now on the token is removed before the process ends.
    const received = holdSignals()
    const { token, revoke } = await developmentToken(settings.tokens)
    let isServing = false
    let unfinished = false
    let rest = Promise.resolve()
    try {
      if (received() === null)
        await serveLake(settings, serving => {
          isServing = true
          process.stdout.write(welcome(serving, token))
          if (state !== 'begun') return
          unfinished = true
          rest = complete(settings).finally(() => {
            unfinished = false
          })
        })
    } finally {
      await revoke()
      if (unfinished) await abandon()
      await rest
    }
    const signal = received()
    return isServing || signal === null ? 0 : reportInterrupt(signal)
  },
}

/** Generates the first sessions if there is no demo, or if it is to be made again. */
async function begin(settings: Settings, remake: boolean): Promise<DemoState> {
  const state = await demoState(settings)
  if (state === 'other' && !remake) {
    note(await whyOther(settings))
    return state
  }
  if (state === 'complete' || state === 'begun') return state
  process.stderr.write('Generating the last sessions of the demo market …\n')
  await beginDemo(settings)
  return demoState(settings)
}

/** Generates the rest beside the server, which goes on with what there is if that fails. */
async function complete(settings: Settings): Promise<void> {
  process.stderr.write(
    `Generating the whole market meanwhile. Until then the demo has at most two sessions with 20,000 trades each, five sessions of implied volatility, and provisional open interest.\n`,
  )
  try {
    await completeDemo(settings)
    process.stderr.write('The demo market is complete.\n')
  } catch (thrown) {
    note(
      `the rest of the demo market was not generated: ${firstLine(thrown)}; start the demo again to go on with it`,
    )
  }
}

/** Ends the process before the rest is generated: the engine's threads would keep it alive. */
async function abandon(): Promise<never> {
  process.stderr.write('The demo market is not complete: the next start generates what is missing.\n')
  await endStatements(INTERRUPT_MS)
  process.exit(0)
}

/** A token for as long as this demo runs; that of another demo on the same lake stays valid. Removes expired ones. */
async function developmentToken(file: string): Promise<{ token: string; revoke: () => Promise<unknown> }> {
  const now = new Date()
  for (const { name, expires_at: expires } of readTokens(file))
    if (name.startsWith(TOKEN_PREFIX) && expires !== null && new Date(expires) < now)
      await revokeToken(file, name)
  const name = `${TOKEN_PREFIX}${now.getTime()}-${process.pid}`
  const token = await createToken(file, {
    name,
    routes: ['*'],
    owner: null,
    expiresAt: new Date(now.getTime() + TOKEN_LIFE_MS),
  })
  return { token, revoke: () => revokeToken(file, name) }
}

/** The message about a running demo: its URL, the token and an example request. */
function welcome({ url, adminUrl }: Serving, token: string): string {
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
