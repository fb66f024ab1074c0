import { matches } from '../../api/service/grant.ts'
import { createToken, readTokens, revokeToken } from '../../api/service/token-file.ts'
import { matchesChannel } from '../../api/socket/channels.ts'
import { suggestion } from '../../engine/nearest-name.ts'
import { epochMsOf, isValidDate } from '../../market/day.ts'
import { operations } from '../../operations/index.ts'
import { usage } from '../command/arguments.ts'
import type { Arguments, Command } from '../command/command.ts'

export const token: Command = {
  name: 'token',
  usage: 'create --name NAME | list | revoke NAME',
  details:
    'A token is shown only once, when it is created, because the file contains only its SHA-256. Changes take effect in a running server within a second.',
  examples: [
    "tapehouse token create --name research --routes 'analytics-window' --expires 90d",
    'tapehouse token list',
    'tapehouse token revoke research',
  ],
  settings: ['tokens'],
  flags: {
    name: { value: 'NAME', help: 'create: name of the token in the list and in the log.' },
    routes: {
      value: 'P,Q',
      default: '*',
      help: 'create: permitted operation ids, paths or channels (stream.chain_frags). * matches any text.',
    },
    owner: {
      value: 'O',
      help: 'create: owner whose alerts the token may see, besides alerts without an owner.',
    },
    admin: { help: 'create: permit the alerts of all owners.' },
    expires: {
      value: '90d',
      help: 'create: lifetime in days (90d) or hours (12h), or an expiry date (2030-01-31). Default: never expires.',
    },
  },
  run: async parsed => {
    const [action = '', ...rest] = parsed.positionals
    const actions: Record<string, () => Promise<void>> = {
      create: () => create(parsed, rest),
      list: () => list(parsed, rest),
      revoke: () => revoke(parsed, rest),
    }
    const run = actions[action]
    if (run === undefined) {
      throw usage(
        token,
        action === ''
          ? 'no action: specify create, list or revoke'
          : `unknown action ${JSON.stringify(action)}: ${suggestion(action, Object.keys(actions))}`,
      )
    }
    await run()
    return 0
  },
}

async function create({ settings, flags }: Arguments, rest: readonly string[]): Promise<void> {
  const [name] = flags.name ?? []
  if (name === undefined || rest.length > 0)
    throw usage(token, 'create requires --name NAME and takes no other argument without a flag')
  if (!/^[\w.@ -]{1,64}$/.test(name))
    throw usage(token, '--name must be 1 to 64 letters, digits, spaces or . _ @ -')
  const owner = flags.owner?.[0] ?? null
  const admin = flags.admin?.[0] !== undefined
  if (admin && owner !== null) throw usage(token, '--admin permits the alerts of all owners: omit --owner')
  const routes = (flags.routes?.[0] ?? '*').split(',').map(route => route.trim())
  for (const route of routes) {
    if (!/^[\w/*.{}-]+$/.test(route))
      throw usage(token, `--routes contains ${JSON.stringify(route)}, which is not a valid pattern`)
    if (!matchesChannel(route) && !operations.some(operation => matches(route, operation)))
      process.stderr.write(`note: no operation or channel of this version matches ${route}\n`)
  }
  const expires = flags.expires?.[0]
  const created = await createToken(settings.tokens, {
    name,
    routes,
    owner,
    admin,
    expiresAt: expires === undefined ? null : expiryOf(expires),
  })
  process.stderr.write(
    `${admin ? 'Admin token' : 'Token'} ${name} for ${routes.join(', ')}, shown only once:\n`,
  )
  process.stdout.write(`${created}\n`)
}

const HOUR_MS = 3_600_000

function expiryOf(text: string): Date {
  const [, number, unit] = /^([1-9]\d{0,4})([dh])$/.exec(text) ?? []
  if (number !== undefined) return new Date(Date.now() + Number(number) * HOUR_MS * (unit === 'd' ? 24 : 1))
  if (!isValidDate(text))
    throw usage(token, `--expires must be like 90d, 12h or 2030-01-31, not ${JSON.stringify(text)}`)
  return new Date(epochMsOf(text))
}

async function list({ settings }: Arguments, rest: readonly string[]): Promise<void> {
  if (rest.length > 0)
    throw usage(token, `unexpected argument ${JSON.stringify(rest[0])}: list takes only flags`)
  const tokens = readTokens(settings.tokens)
  if (tokens.length === 0) {
    process.stderr.write(
      `No tokens in ${settings.tokens}: run tapehouse token create --name NAME to create one\n`,
    )
  }
  for (const { name, routes, owner, admin, created_at, expires_at } of tokens) {
    const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
    const expiry =
      expires_at === null ? 'never expires' : `${isExpired ? 'expired' : 'expires'} ${expires_at}`
    const owners = admin ? 'all owners (admin)' : (owner ?? '-')
    process.stdout.write(`${[name, routes.join(','), owners, `created ${created_at}`, expiry].join('\t')}\n`)
  }
}

async function revoke({ settings }: Arguments, rest: readonly string[]): Promise<void> {
  const [name, ...more] = rest
  if (name === undefined || more.length > 0) throw usage(token, 'revoke requires the name of one token')
  await revokeToken(settings.tokens, name)
  process.stderr.write(`Token ${name} is revoked.\n`)
}
