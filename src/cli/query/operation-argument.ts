import { parseArgs } from 'node:util'
import { exampleValues } from '../../api/openapi/examples.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { SUBJECTS } from '../../operations/answering/template-head.ts'
import { operations } from '../../operations/index.ts'
import type { Flag } from '../command/command.ts'
import { table, wrap } from '../help/text.ts'

/** `range_end` is `--range-end`, `rule_name[]` is `--rule-name`. */
export const flagName = (parameter: string) => parameter.replace('[]', '').replaceAll('_', '-')

/** The parameters of an operation as flags of the command. */
export const parameterFlags = ({ parameters }: Operation): Readonly<Record<string, Flag>> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, { description, example, required }]) => [
      flagName(name),
      { value: example, help: `${required ? 'Required. ' : ''}${description}`, repeatable: true },
    ]),
  )

/** Flags of any operation, which take a value: the text after one of them is never the operation. */
const withValue = [...new Set(operations.flatMap(({ parameters }) => Object.keys(parameters).map(flagName)))]

/**
 * The operation that the arguments of `query` name: their first text that is neither a flag nor the value of one.
 * Undefined if there is none, or no operation has that name.
 */
export function operationOf(
  argv: readonly string[],
  flagsWithValue: readonly string[],
): Operation | undefined {
  const options = Object.fromEntries(
    [...withValue, ...flagsWithValue].map(name => [name, { type: 'string', multiple: true } as const]),
  )
  const { positionals } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: false })
  return operations.find(({ id }) => id === positionals[0])
}

/** Blocks of the help: what the operation answers or, without one, a list of all. */
export function helpBlocks(operation: Operation | undefined): readonly string[] {
  if (operation !== undefined)
    return [`${operation.id}: ${operation.summary}`, wrap(operation.description, '')]
  return [
    'Operations:',
    ...SUBJECTS.map(subject => {
      const members = operations.filter(each => each.subject === subject)
      return `${subject}\n${table(members.map(({ id, summary }): [string, string] => [id, summary]))}`
    }),
  ]
}

/** A command that runs the operation's example of the synthetic market. */
export function exampleCommand(operation: Operation): string {
  const flags = Object.entries(exampleValues(operation)).map(
    ([name, value]) => ` --${flagName(name)} ${quoted(value)}`,
  )
  return `tapehouse query ${operation.id}${flags.join('')}`
}

/** A word for a shell. */
const quoted = (text: string) => (/^[\w.,:/@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
