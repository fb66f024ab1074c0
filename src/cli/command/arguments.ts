import { parseArgs } from 'node:util'
import { distance } from 'fastest-levenshtein'
import { Failure, firstLine } from '../../engine/failure.ts'
import { nearestName } from '../../engine/nearest-name.ts'
import type { Arguments, Command } from './command.ts'
import { flagOf, readSetting, SETTINGS, type SettingName, type Settings, variableOf } from './settings.ts'

/** Reads a command's arguments and the environment. Whatever is wrong is a `usage` failure of one line. */
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
  for (const name of command.settings)
    options[flagOf(name)] = {
      type: SETTINGS[name].kind === ('flag' as string) ? 'boolean' : 'string',
      multiple: true,
    }

  const { values, positionals } = parse(command, argv, options)
  if (values.help) return 'help'
  const given = Object.entries(flags).map(([name, flag]): [string, string[]] => {
    const list = (values[name] ?? (flag.default === undefined ? [] : [flag.default])).map(String)
    if (list.length > 1 && !flag.repeatable)
      throw usage(command, `--${name} is given ${list.length} times, once is allowed`)
    return [name, list]
  })
  return { positionals, flags: Object.fromEntries(given), settings: readSettings(command, values, env) }
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
    if (unknown === undefined) throw usage(command, firstLine(thrown).replace(/\. .*$/, ''))
    const names = Object.keys(options).map(name => `--${name}`)
    const nearest = nearestName(unknown, names)
    const hint = distance(unknown, nearest) <= 4 ? `: did you mean ${nearest}?` : ''
    throw usage(command, `there is no flag ${unknown}${hint}`)
  }
}

function readSettings(
  command: Command,
  values: Record<string, (string | boolean)[] | undefined>,
  env: NodeJS.ProcessEnv,
): Settings {
  const all = Object.entries(SETTINGS).map(([name, setting]) => {
    const flag = `--${flagOf(name)}`
    const given = command.settings.includes(name as SettingName) ? values[flagOf(name)] : undefined
    if (given && given.length > 1)
      throw usage(command, `${flag} is given ${given.length} times, once is allowed`)
    const variable = variableOf(name)
    const [text, source] = given ? [String(given[0]), flag] : [env[variable] || undefined, variable]
    if (text === undefined) return [name, setting.default]
    const read = readSetting(setting, text)
    if ('problem' in read) throw usage(command, `${source} ${read.problem}, not ${JSON.stringify(text)}`)
    return [name, read.value]
  })
  return Object.fromEntries(all) as Settings
}

export function usage(command: Pick<Command, 'name'>, problem: string): Failure {
  return new Failure('usage', `${problem} (see tapehouse ${command.name} --help)`)
}
