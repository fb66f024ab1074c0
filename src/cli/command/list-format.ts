import { LIST_FORMATS, type ListFormat } from '../terminal/records.ts'
import { usage } from './arguments.ts'
import type { Arguments, Command, Flag } from './command.ts'

/** The flag `--format` of a command that prints a list. */
export const LIST_FLAG = {
  format: { value: LIST_FORMATS.join('|'), default: 'table', help: 'Output format.' },
} as const satisfies Readonly<Record<string, Flag>>

export function listFormatOf(command: Command, flags: Arguments['flags']): ListFormat {
  const [name] = flags.format ?? []
  const format = LIST_FORMATS.find(each => each === name)
  if (format === undefined)
    throw usage(command, `--format must be one of ${LIST_FORMATS.join(', ')}, not ${JSON.stringify(name)}`)
  return format
}
