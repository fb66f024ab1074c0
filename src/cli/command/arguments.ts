import { parseArgs } from 'node:util'
import { Failure, firstLine } from '../../engine/failure.ts'
import { guess } from '../../engine/nearest-name.ts'
import type { Arguments, Command } from './command.ts'
import { flagOf, readSetting, variableOf } from './setting.ts'
import { SETTINGS, type SettingName, type Settings, SHARED_SETTINGS } from './settings.ts'

/** Reads the arguments of a command and the environment. Throws `usage` with one line for a usage error. */
export function readArguments(
  command: Command,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Arguments | 'help' {
  const flags = { ...command.flags, ...command.flagsFor?.(argv) }
  const options: Record<string, { type: 'string' | 'boolean'; multiple: true; short?: string }> = {
    help: { type: 'boolean', multiple: true, short: 'h' },
  }
  for (const [name, flag] of Object.entries(flags))
    options[name] = { type: flag.value === undefined ? 'boolean' : 'string', multiple: true }
  for (const name of settingsOf(command))
    options[flagOf(name)] = {
      type: SETTINGS[name].kind === ('flag' as string) ? 'boolean' : 'string',
      multiple: true,
    }

  const { values, positionals } = parse(command, argv, options)
  if (values.help) return 'help'
  const lists = Object.entries(flags).map(([name, flag]): [string, string[]] => {
    const list = (values[name] ?? (flag.default === undefined ? [] : [flag.default])).map(String)
    if (list.length > 1 && !flag.repeatable) throw repeated(command, `--${name}`, list)
    return [name, list]
  })
  return { positionals, flags: Object.fromEntries(lists), settings: readSettings(command, values, env) }
}

type Options = Record<string, { type: 'string' | 'boolean'; multiple: true; short?: string }>

function parse(command: Command, argv: readonly string[], options: Options) {
  try {
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
    return {
      positionals: parsed.positionals,
      values: parsed.values as Record<string, (string | boolean)[] | undefined>,
    }
  } catch (thrown) {
    const unknown = /Unknown option '(-[^']*)'/.exec(firstLine(thrown))?.[1]
    if (unknown === undefined) {
      const [, flag] = /^Option '(--[\w-]+) <value>' argument missing/.exec(firstLine(thrown)) ?? []
      const problem = flag ? `${flag} requires a value` : firstLine(thrown).replace(/\. .*$/, '')
      throw usage(command, problem)
    }
    const names = Object.keys(options).map(name => `--${name}`)
    throw usage(command, `unknown flag ${unknown}${guess(unknown, names)}`)
  }
}

const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
) as Settings

function readSettings(
  command: Command,
  values: Record<string, (string | boolean)[] | undefined>,
  env: NodeJS.ProcessEnv,
): Settings {
  const set = Object.entries(SETTINGS).flatMap(([name, setting]) => {
    const flag = `--${flagOf(name)}`
    const list = settingsOf(command).includes(name as SettingName) ? values[flagOf(name)] : undefined
    if (list && list.length > 1) throw repeated(command, flag, list)
    const variable = variableOf(name)
    const [text, source] = list ? [String(list[0]), flag] : [env[variable] || undefined, variable]
    if (text === undefined) return []
    const read = readSetting(setting, text)
    if ('problem' in read) throw usage(command, `${source} ${read.problem}, not ${JSON.stringify(text)}`)
    return [[name, read.value] as const]
  })
  const chosen = Object.fromEntries(set) as Partial<Settings>
  return { ...DEFAULTS, ...command.defaults?.(chosen), ...chosen }
}

const settingsOf = ({ settings }: Command): readonly SettingName[] => [...settings, ...SHARED_SETTINGS]

/** A usage error of a command. */
export function usage(command: Pick<Command, 'name'>, problem: string): Failure {
  return new Failure('usage', `${problem} (see tapehouse ${command.name} --help)`)
}

const repeated = (command: Command, flag: string, values: readonly unknown[]) =>
  usage(command, `${flag} occurs ${values.length} times: specify it once`)

/** Throws a usage error if a command that takes only flags has another argument. */
export function assertOnlyFlags(command: Pick<Command, 'name'>, positionals: readonly string[]): void {
  const [first] = positionals
  if (first === undefined) return
  throw usage(command, `unexpected argument ${JSON.stringify(first)}: ${command.name} takes only flags`)
}
