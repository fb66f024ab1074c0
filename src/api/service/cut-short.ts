import type { ServerResponse } from 'node:http'

/** Status in the log of a request whose client closed the connection before it had the whole response. */
const CLIENT_CLOSED = 499

/** The status in the log of responses that the server itself broke off. */
const broken = new WeakMap<ServerResponse, number>()

/** Notes that the server breaks a response off, for its line in the log. The connection must be reset. */
export function noteBroken(response: ServerResponse, status: 500 | 503): void {
  broken.set(response, status)
}

/** Responses that were sent as a whole. */
const whole = new WeakSet<ServerResponse>()

/** Notes that all of a response was sent. */
export const noteWhole = (response: ServerResponse): void => {
  whole.add(response)
}

/** Calls `observe` with the status for the log if a response ends before all of it was sent. */
export function whenCutShort(response: ServerResponse, observe: (status: number) => void): void {
  response.once('close', () => {
    if (!response.writableFinished && !whole.has(response)) observe(cutShortStatus(response))
  })
}

/** The status in the log of a response that ended before all of it was sent. */
export const cutShortStatus = (response: ServerResponse): number => broken.get(response) ?? CLIENT_CLOSED
