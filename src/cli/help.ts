import { version } from '../engine/resources.ts'
import type { Command } from './command.ts'
import { commandNames, summaryOf } from './commands.ts'
import { flagOf, SETTINGS, type Setting, variableOf } from './settings.ts'

const WIDTH = 100

/** The help of the program: its commands, a line each. */
export function programHelp(): string {
  const rows = commandNames.map((name): [string, string] => [name, summaryOf(name)])
  return `tapehouse ${version()}: a self-hosted market-data API over a lake of Parquet files

Usage: tapehouse <command> [flags]

Commands:
${table(rows)}

tapehouse <command> --help tells more of each. tapehouse --version prints the version.
`
}

export function commandHelp(summary: string, command: Command, argv: readonly string[]): string {
  const flags = Object.entries({ ...command.flags, ...command.flagsFor?.(argv) }).map(
    ([name, flag]): [string, string] => [
      `--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`,
      `${flag.help}${flag.default === undefined ? '' : ` Default: ${flag.default}.`}`,
    ],
  )
  const settings = command.settings.map((name): [string, string] => {
    const setting: Setting = SETTINGS[name]
    return [
      `--${flagOf(name)}${valueName(setting)}`,
      `${setting.help}${defaultOf(setting)} Also ${variableOf(name)}.`,
    ]
  })
  return [
    `tapehouse ${command.name}: ${summary}`,
    `Usage: tapehouse ${command.name} ${command.usage}`,
    ...(command.details ? [wrap(command.details, '')] : []),
    ...(flags.length > 0 ? [`Flags:\n${table(flags)}`] : []),
    ...(settings.length > 0 ? [`Settings:\n${table(settings)}`] : []),
    `Examples:\n${command.examples.map(example => `  ${example}`).join('\n')}`,
  ]
    .join('\n\n')
    .concat('\n')
}

function valueName(setting: Setting): string {
  if (setting.kind === 'flag') return ''
  if (setting.kind === 'choice') return ` ${setting.values.join('|')}`
  return setting.kind === 'integer' ? ` ${setting.unit ?? 'N'}` : ' TEXT'
}

const defaultOf = (setting: Setting) =>
  setting.default === null || setting.kind === 'flag'
    ? ''
    : ` Default: ${setting.default}${setting.unit ? ` ${setting.unit}` : ''}.`

/** Two columns, the second wrapped to the terminal's usual width. */
function table(rows: readonly (readonly [string, string])[]): string {
  const left = Math.min(34, Math.max(...rows.map(([name]) => name.length))) + 4
  return rows
    .map(([name, text]) => {
      const lines = wrap(text, ' '.repeat(left)).trimStart()
      return name.length + 4 > left
        ? `  ${name}\n${' '.repeat(left)}${lines}`
        : `${`  ${name}`.padEnd(left)}${lines}`
    })
    .join('\n')
}

function wrap(text: string, indent: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1] ?? ''
    if (line.length > 0 && indent.length + line.length + word.length + 1 > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.map(line => indent + line).join('\n')
}
