import { Failure, firstLine, systemCode } from '../../engine/failure.ts'

/** Everything that is not text, but for the tab and the line feed. */
const CONTROL = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text for a terminal: its control and invisible characters become escapes of JSON, such as `\\u001b`. */
export const terminalText = (text: string): string =>
  text.replaceAll(CONTROL, character =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  )

const escaped = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`

type Write = NodeJS.WriteStream['write']

/** How a terminal was written to before `prepareOutput`. */
const writers = new WeakMap<NodeJS.WriteStream, Write>()
/** Whether the reader of standard output has closed it. */
let isClosed = false
let failed: Error | null = null

/**
 * Prepares standard output and standard error for the whole command. No control character of data reaches a terminal.
 * If the reader closes the pipe, as `head` does, the rest of the output is dropped, and the command goes on.
 */
export function prepareOutput(): void {
  process.stdout.on('error', error => {
    isClosed ||= systemCode(error) === 'EPIPE'
    if (!isClosed) failed ??= error
  })
  // Nothing is left to report it on.
  process.stderr.on('error', () => {})
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.isTTY) continue
    const write: Write = stream.write.bind(stream)
    writers.set(stream, write)
    stream.write = (chunk: Uint8Array | string, ...rest: unknown[]) =>
      Reflect.apply(write, stream, [
        terminalText(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()),
        ...rest,
      ])
  }
}

/** Replaces the last line of a terminal, which was written by this function or is empty. */
export function replaceLine(terminal: NodeJS.WriteStream, line: string): void {
  const write = writers.get(terminal) ?? terminal.write.bind(terminal)
  write(`\r\u001b[2K${terminalText(line)}`)
}

/** The failure of a command whose standard output could not be written, for example to a full disk; null if it was. */
export const outputFailure = (): Failure | null =>
  failed === null
    ? null
    : new Failure('lake_write', `standard output cannot be written: ${firstLine(failed)}`, { cause: failed })
