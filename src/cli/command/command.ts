import type { SettingName, Settings } from './settings.ts'

/** A flag of one command alone, as against a setting. A flag that takes no value is true when it is there. */
export interface Flag {
  readonly help: string
  /** How the value is shown in help, e.g. `N`; none: the flag takes no value. */
  readonly value?: string
  readonly default?: string
  readonly repeatable?: boolean
}

export interface Arguments {
  readonly positionals: readonly string[]
  readonly settings: Settings
  /** Values of the command's own flags, in order; `['true']` for one without a value. */
  readonly flags: Readonly<Record<string, readonly string[]>>
}

/** One command of the terminal, as data: its help comes from this. */
export interface Command {
  readonly name: string
  /** What stands after the name, e.g. `<format> <file-or-folder…>`. */
  readonly usage: string
  readonly details?: string
  readonly examples: readonly string[]
  readonly settings: readonly SettingName[]
  readonly flags: Readonly<Record<string, Flag>>
  /** More flags that depend on the arguments, e.g. an operation's parameters. */
  readonly flagsFor?: (argv: readonly string[]) => Readonly<Record<string, Flag>>
  /** Help of its own for some arguments, e.g. a format of files. */
  readonly helpFor?: (argv: readonly string[]) => string | undefined
  /** Does the work; a number is the exit code. Throws a Failure for what is expected to go wrong. */
  readonly run: (given: Arguments) => Promise<number | undefined>
}
