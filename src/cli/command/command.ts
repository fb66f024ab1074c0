import type { SettingName, Settings } from './settings.ts'

/** A flag of a single command; a setting is shared by several. A flag without a value is true if present. */
export interface Flag {
  readonly help: string
  /** Placeholder of the value in help, e.g. `N`. Absent if the flag takes no value. */
  readonly value?: string
  readonly default?: string
  readonly repeatable?: boolean
}

export interface Arguments {
  readonly positionals: readonly string[]
  readonly settings: Settings
  /** Values of the command's flags in order; `['true']` for a flag without a value. */
  readonly flags: Readonly<Record<string, readonly string[]>>
}

/** One command of the command line. Its help is generated from this. */
export interface Command {
  readonly name: string
  /** Arguments after the name in the usage line, e.g. `<format> <file-or-folder…>`. */
  readonly usage: string
  readonly details?: string
  readonly examples: readonly string[]
  readonly settings: readonly SettingName[]
  /** Defaults of this command in place of the shared ones. They may depend on the settings that flags or variables set. */
  readonly defaults?: (set: Partial<Settings>) => Partial<Settings>
  readonly flags: Readonly<Record<string, Flag>>
  /** More flags that depend on the arguments, e.g. the parameters of an operation. */
  readonly flagsFor?: (argv: readonly string[]) => Readonly<Record<string, Flag>>
  /** Blocks of the help between the details and the flags, e.g. a list of the operations. */
  readonly blocksFor?: (argv: readonly string[]) => readonly string[]
  /** Other examples for some arguments, e.g. for an operation. */
  readonly examplesFor?: (argv: readonly string[]) => readonly string[] | undefined
  /** Special help for some arguments, e.g. for a file format. */
  readonly helpFor?: (argv: readonly string[]) => string | undefined
  /** Runs the command and returns the exit code. Throws a Failure for an expected failure. */
  readonly run: (parsed: Arguments) => Promise<number | undefined>
}
