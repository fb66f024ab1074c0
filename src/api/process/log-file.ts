import { fstatSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'

/** Text that waits for the reader of a pipe, at most. Further lines are dropped. */
export const WAITING_BYTES_MAX = 1024 ** 2

/** Where log lines are written, one or more at a time. */
export interface LogFile {
  write(text: string | Uint8Array): void
  /** Lines that were dropped since the start, because their reader is too slow or does not read. */
  readonly dropped: number
  /** Resolves when everything is written, or after `limitMs`. What is left then is dropped, and nothing more is written. */
  end(limitMs: number): Promise<void>
}

/**
 * A file descriptor as a log file. A write to a pipe or a socket never waits for its reader: what it does not take is kept up
 * to a limit. `onFlowing` is called with the number of lines that were dropped, once the reader has taken what was kept. A
 * write to a file or a terminal is complete when it returns.
 */
export function logFile(descriptor: number, onFlowing: (dropped: number) => void): LogFile {
  const stat = fstatSync(descriptor)
  if (!stat.isFIFO() && !stat.isSocket()) return plainFile(descriptor)
  const pipe = new Socket({ fd: descriptor, readable: false, writable: true })
  let dropped = 0
  let reported = 0
  // Nothing is left to report it on.
  pipe.on('error', () => {})
  pipe.on('drain', () => {
    if (dropped > reported) onFlowing(dropped - reported)
    reported = dropped
  })
  pipe.unref()
  return {
    write(text) {
      if (pipe.writableLength > WAITING_BYTES_MAX) dropped += linesIn(text)
      else pipe.write(text)
    },
    get dropped() {
      return dropped
    },
    async end(limitMs) {
      if (pipe.writableLength > 0 && !pipe.destroyed)
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, limitMs)
          pipe.write('', () => {
            clearTimeout(timer)
            resolve()
          })
        })
      // A write that waits would keep the process alive.
      pipe.destroy()
    },
  }
}

function plainFile(descriptor: number): LogFile {
  return {
    write(text) {
      try {
        if (typeof text === 'string') writeSync(descriptor, text)
        else writeSync(descriptor, text)
      } catch {
        // A full disk: nothing is left to report it on.
      }
    },
    dropped: 0,
    end: () => Promise.resolve(),
  }
}

const LINE_FEED = 0x0a

function linesIn(text: string | Uint8Array): number {
  let lines = 0
  for (const character of Buffer.from(text)) if (character === LINE_FEED) lines += 1
  return lines
}
