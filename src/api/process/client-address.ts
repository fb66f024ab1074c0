import { isIP } from 'node:net'

/** The proxies whose `X-Forwarded-…` headers are believed: their number, or their addresses and networks. */
export type TrustedProxies = number | readonly string[]

/**
 * The address of a client for the log. A proxy can send any text as an address: then that of the connection is used. IPv4
 * addresses on an IPv6 socket are written as IPv4. The zone of an IPv6 address is left out: it names an interface of another
 * machine, and can be long.
 */
export function clientAddress(claimed: string | undefined, connected: string | undefined): string {
  const address = claimed !== undefined && isIP(claimed) !== 0 ? claimed : (connected ?? '')
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
}
