import { createInterface } from 'node:readline/promises'

/** Asks a question on a terminal; true for y or yes. Null if there is no terminal to ask on. */
export async function confirmed(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}
