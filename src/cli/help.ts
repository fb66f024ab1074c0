import { version } from '../engine/resources.ts'
import type { Command } from './command/command.ts'
import { defaultOf, flagOf, type Setting, variableOf } from './command/setting.ts'
import { SETTINGS, type SettingName, type Settings, SHARED_SETTINGS } from './command/settings.ts'
import { commandNames, summaryOf } from './commands.ts'
import { table, wrap } from './help/text.ts'

/** The help of the program: one line per command. */
export function programHelp(): string {
  const rows = commandNames.map((name): [string, string] => [name, summaryOf(name)])
  return `tapehouse ${version()}: a self-hosted market-data API over a lake of Parquet files

Usage: tapehouse <command> [flags]

Commands:
${table(rows)}

Settings of every command:
${table(SHARED_SETTINGS.map(name => settingRow(name)))}

Run tapehouse <command> --help for the flags of a command, tapehouse --version for the version.
Exit codes: 0 success, 1 failure, 2 usage error, 130 or 143 interrupted.
`
}

/** The help of one command: usage, details, flags, settings and examples. */
export function commandHelp(summary: string, command: Command, argv: readonly string[]): string {
  const flags = Object.entries({ ...command.flags, ...command.flagsFor?.(argv) }).map(
    ([name, flag]): [string, string] => [
      `--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`,
      `${flag.help}${flag.default === undefined ? '' : ` Default: ${flag.default}.`}`,
    ],
  )
  const defaults = command.defaults?.({}) ?? {}
  const settings = command.settings.map(name => settingRow(name, defaults))
  return [
    `tapehouse ${command.name}: ${summary}`,
    `Usage: tapehouse ${command.name} ${command.usage}`,
    ...(command.details ? [wrap(command.details, '')] : []),
    ...(command.blocksFor?.(argv) ?? []),
    ...(flags.length > 0 ? [`Flags:\n${table(flags)}`] : []),
    ...(settings.length > 0 ? [`Settings:\n${table(settings)}`] : []),
    `Examples:\n${(command.examplesFor?.(argv) ?? command.examples).map(example => `  ${example}`).join('\n')}`,
  ]
    .join('\n\n')
    .concat('\n')
}

function settingRow(name: SettingName, defaults: Partial<Settings> = {}): [string, string] {
  const setting = { ...SETTINGS[name], ...(name in defaults ? { default: defaults[name] } : {}) } as Setting
  return [
    `--${flagOf(name)}${valueName(setting)}`,
    `${setting.help}${defaultSentence(setting)} Variable: ${variableOf(name)}.`,
  ]
}

function valueName(setting: Setting): string {
  if (setting.kind === 'flag') return ''
  if (setting.kind === 'choice') return ` ${setting.values.join('|')}`
  return setting.kind === 'integer' ? ` ${setting.unit ?? 'N'}` : ' TEXT'
}

function defaultSentence(setting: Setting): string {
  const text = setting.kind === 'flag' ? null : defaultOf(setting)
  return text === null ? '' : ` Default: ${text}.`
}
