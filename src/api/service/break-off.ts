import type { ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Server as TlsServer } from 'node:tls'

/** By the socket of TLS. Only a connection itself can be reset. */
const connections = new WeakMap<Duplex, Socket>()

/** Remembers the connection of each socket of TLS. */
export function followConnections(server: Server): void {
  if (!(server instanceof TlsServer)) return
  /** By address and port of the client, which is all that a socket of TLS tells of its connection. */
  const byClient = new Map<string, Socket>()
  const clientOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
  server.on('connection', (connection: Socket) => {
    const client = clientOf(connection)
    byClient.set(client, connection)
    connection.once('close', () => {
      if (byClient.get(client) === connection) byClient.delete(client)
    })
  })
  server.on('secureConnection', (socket: Socket) => {
    const connection = byClient.get(clientOf(socket))
    if (connection !== undefined) connections.set(socket, connection)
  })
}

/** The connection of the socket of a request: the socket itself, or what is below TLS. */
export const connectionOf = (socket: Socket): Socket => connections.get(socket) ?? socket

/**
 * Resets the connection of a response, so that no client takes the response for complete: in HTTP/1.0 a regular end of the
 * connection is the end of a response without a length.
 */
export function breakOff({ socket }: ServerResponse): void {
  if (socket) connectionOf(socket).resetAndDestroy()
}

const shares = new WeakMap<ServerResponse, () => Promise<void>>()

/** Sets what `untilShared` does for a response. */
export const shareBefore = (response: ServerResponse, share: () => Promise<void>): void => {
  shares.set(response, share)
}

/**
 * Call it before the first byte of a response without a length. If only the end of its connection can end it, this resolves
 * once another process can break it off too, since a killed process cannot.
 */
export const untilShared = async (response: ServerResponse): Promise<void> => shares.get(response)?.()
