import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { all, compile } from '@fastify/proxy-addr'

/** The proxies whose `X-Forwarded-…` headers are believed: their number, or their addresses and networks. */
export type TrustedProxies = number | readonly string[]

/**
 * The address of a client for the log. A proxy can send any text as an address: then that of the connection is used. IPv4
 * addresses on an IPv6 socket are written as IPv4. The zone of an IPv6 address is left out: it names an interface of another
 * machine, and can be long.
 */
export function clientAddress(claimed: string | undefined, connected: string | undefined): string {
  const isClaimed = claimed !== undefined && claimed !== connected && isIP(claimed) !== 0
  const address = isClaimed ? claimed : (connected ?? '')
  if (!address.includes(':')) return address
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
}

/** Whether the proxy at an address is trusted. `hop` counts from the server. */
export type Trust = (address: string, hop: number) => boolean

/** As Fastify takes it, too. */
export const trustOf = (proxies: TrustedProxies): Trust =>
  typeof proxies === 'number' ? (_address, hop) => hop < proxies : compile([...proxies])

/** The address of the client of a request that no route has yet, as trusted proxies say: Fastify's `request.ip`. */
export const clientOf = (request: IncomingMessage, trust: Trust | null): string =>
  (trust === null ? request.socket.remoteAddress : all(request, trust).at(-1)) ?? ''

/** The networks of the names that `--trust-proxy` takes: address, and length of the prefix. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Whether connections from an address are those of a trusted proxy. Where their number is given, all connections are. */
export function isTrusted(proxies: TrustedProxies | null): (address: string) => boolean {
  if (proxies === null) return () => false
  if (typeof proxies === 'number') return () => true
  const list = new BlockList()
  for (const network of proxies.flatMap(name => NAMED[name] ?? [name])) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return address => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
