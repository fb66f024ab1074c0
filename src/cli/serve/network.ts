import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { ServeConfig } from '../../api/process/config.ts'
import { usage } from '../command/arguments.ts'
import type { Settings } from '../command/settings.ts'

type Network = Pick<
  ServeConfig,
  'host' | 'port' | 'adminHost' | 'adminPort' | 'certificate' | 'trustedProxies' | 'publicUrl' | 'corsOrigins'
>

const SERVE = { name: 'serve' }

/** Where the server listens, and what is in front of it. Throws `usage` if tokens would travel in clear. */
export function networkOf(settings: Settings): Network {
  const certificate = certificateOf(settings)
  const { host, port, adminHost, adminPort, behindProxy } = settings
  if (certificate === null && !behindProxy && !isLoopback(host))
    throw usage(
      SERVE,
      `--host ${host} is not loopback, and without TLS tokens would travel in clear: set --tls-cert and --tls-key, or --behind-proxy if a proxy in front of the server has the TLS`,
    )
  return {
    host,
    port,
    adminHost,
    adminPort,
    certificate,
    trustedProxies: trustedProxiesOf(settings),
    publicUrl: settings.publicUrl?.replace(/\/+$/, '') ?? null,
    corsOrigins: corsOriginsOf(settings),
  }
}

/** A name other than localhost is not resolved: it can mean another address tomorrow. */
const isLoopback = (host: string) =>
  host.toLowerCase() === 'localhost' ||
  (isIP(host) === 4 && host.startsWith('127.')) ||
  (isIP(host) === 6 && /^(::1|(0{1,4}:){7}0{0,3}1|::ffff:127\.[\d.]+)$/i.test(host))

function certificateOf({ tlsCert, tlsKey }: Settings): Network['certificate'] {
  if (tlsCert === null && tlsKey === null) return null
  if (tlsCert === null) throw usage(SERVE, '--tls-key requires --tls-cert')
  if (tlsKey === null) throw usage(SERVE, '--tls-cert requires --tls-key')
  return { cert: resolve(tlsCert), key: resolve(tlsKey) }
}

/** Networks that have a name in `--trust-proxy`. */
const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

function trustedProxiesOf({ trustProxy }: Settings): Network['trustedProxies'] {
  if (trustProxy === null) return null
  if (/^[1-9]\d?$/.test(trustProxy)) return Number(trustProxy)
  const networks = trustProxy.split(',').map(text => text.trim())
  const wrong = networks.find(text => !NAMED_NETWORKS.includes(text) && !isNetwork(text))
  if (wrong === undefined) return networks
  throw usage(
    SERVE,
    `--trust-proxy must be the number of proxies from 1 to 99, or addresses and networks such as 10.0.0.0/8 or ${NAMED_NETWORKS.join(', ')}, separated by commas, not ${JSON.stringify(wrong)}`,
  )
}

/** Whether a text is an address, or an address with the length of a prefix. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  if (bits < 0 || more.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits)
}

function corsOriginsOf({ corsOrigins }: Settings): Network['corsOrigins'] {
  if (corsOrigins === null || corsOrigins === '*') return corsOrigins
  const origins = corsOrigins.split(',').map(text => text.trim())
  const wrong = origins.find(
    text => !/^https?:/.test(text) || !URL.canParse(text) || new URL(text).origin !== text,
  )
  if (wrong === undefined) return origins
  throw usage(
    SERVE,
    `--cors-origins must be * or origins such as https://app.example.org, without a path and separated by commas, not ${JSON.stringify(wrong)}`,
  )
}
