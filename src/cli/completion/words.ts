import { listFormats } from '../../lake/import/format/formats.ts'
import { operations } from '../../operations/index.ts'
import type { Command } from '../command/command.ts'
import { flagOf, type Setting } from '../command/setting.ts'
import { SETTINGS } from '../command/settings.ts'
import { SHELLS } from './shells.ts'

/** What can follow the words that are typed already. The key is those words, such as `query alerts`. */
export type Words = ReadonlyMap<string, readonly Word[]>

/** A command, and what it does in one phrase. */
export interface Summarised {
  readonly command: Command
  readonly summary: string
}

export interface Word {
  readonly text: string
  readonly meaning: string
}

/** The words after `tapehouse`, after each command, and after each operation and format. */
export function words(commands: readonly Summarised[]): Words {
  const after = new Map<string, readonly Word[]>([
    ['', [...commands.map(({ command, summary }) => ({ text: command.name, meaning: summary })), ...TOP]],
  ])
  for (const { command } of commands) {
    const members = MEMBERS[command.name]?.() ?? []
    after.set(command.name, [...members, ...flagWords(command)])
    for (const { text } of members) after.set(`${command.name} ${text}`, moreFlags(command, text))
    for (const [flag, values] of choices(command)) after.set(`${command.name} --${flag}`, values)
  }
  return after
}

const TOP: readonly Word[] = [
  { text: '--help', meaning: 'show the commands' },
  { text: '--version', meaning: 'show the version' },
]

/** What the first argument of a command can be. */
const MEMBERS: Readonly<Record<string, () => readonly Word[]>> = {
  query: () => operations.map(({ id, summary }) => ({ text: id, meaning: summary })),
  import: () => listFormats().map(({ name, summary }) => ({ text: name, meaning: summary })),
  completion: () => SHELLS.map(text => ({ text, meaning: `print the script for ${text}` })),
  token: () => actions('create', 'list', 'revoke'),
  imports: () => actions('undo'),
  snapshot: () => actions('keep', 'release', 'restore'),
}

const actions = (...names: readonly string[]): readonly Word[] => names.map(text => ({ text, meaning: '' }))

function flagWords(command: Command): readonly Word[] {
  return [
    ...wordsOf(command.flags),
    ...command.settings.map(name => ({ text: `--${flagOf(name)}`, meaning: SETTINGS[name].help })),
    { text: '--help', meaning: 'show the flags' },
  ]
}

/** The flags that depend on the first argument, such as the parameters of an operation. */
const moreFlags = (command: Command, argument: string) => wordsOf(command.flagsFor?.([argument]) ?? {})

const wordsOf = (flags: Command['flags']): readonly Word[] =>
  Object.entries(flags).map(([name, { help }]) => ({ text: `--${name}`, meaning: help }))

/** The flags of a command whose values are listed. */
function choices(command: Command): [flag: string, values: readonly Word[]][] {
  const own = Object.entries(command.flags).flatMap(([name, { value }]) =>
    value?.includes('|') ? [[name, value.split('|')] as const] : [],
  )
  const settings = command.settings.flatMap(name => {
    const setting: Setting = SETTINGS[name]
    return setting.kind === 'choice' ? [[flagOf(name), setting.values] as const] : []
  })
  return [...own, ...settings].map(([flag, values]) => [flag, actions(...values)])
}
