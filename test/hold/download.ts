import { connect } from 'node:net'

/** How a response ended: complete, with a reset, or with a regular end of the connection before all of it was there. */
export type Outcome = 'complete' | 'reset' | 'cut'

/**
 * Reads a response from the connection itself, pausing for `pauseMs` after each part. Node reports a reset that arrives before
 * the last bytes are read as a regular end. Therefore a byte is written at the end: only after a reset that fails.
 */
export function download(
  port: number,
  head: string,
  isComplete: (bytes: number, tail: string) => boolean,
  pauseMs: number,
): { readonly begun: Promise<void>; readonly outcome: Promise<Outcome> } {
  const connection = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  connection.write(head)
  const begun = new Promise<void>(resolve => connection.once('data', () => resolve()))
  const outcome = new Promise<Outcome>(resolve => {
    let bytes = 0
    let tail = ''
    connection.on('data', chunk => {
      bytes += chunk.length
      tail = (tail + chunk.toString('latin1')).slice(-8)
      if (pauseMs === 0) return
      connection.pause()
      setTimeout(() => connection.resume(), pauseMs)
    })
    const end = (incomplete: Outcome) => {
      resolve(isComplete(bytes, tail) ? 'complete' : incomplete)
      connection.destroy()
    }
    connection.once('end', () => connection.write('\n', error => end(error ? 'reset' : 'cut')))
    connection.once('error', () => end('reset'))
  })
  return { begun, outcome }
}
