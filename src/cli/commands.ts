import type { Command } from './command/command.ts'

/** Every command, loaded only when it runs: help and mistakes answer without waking the engine. */
const COMMANDS = {
  serve: {
    summary: 'answer HTTP requests from a lake',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  query: {
    summary: 'answer one operation from a lake, without a server',
    load: async () => (await import('./commands/query.ts')).query,
  },
  stream: {
    summary: 'replay what a day of option trading sent, as protobuf or JSON',
    load: async () => (await import('./commands/stream.ts')).stream,
  },
  import: {
    summary: 'bring files into the lake, of a foreign format or with canonical columns',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  derive: {
    summary: 'compute the datasets that come from others, as far as their sources changed',
    load: async () => (await import('./commands/derive.ts')).deriveCommand,
  },
  generate: {
    summary: 'make a synthetic market: every dataset, as much of it as is asked for',
    load: async () => (await import('./commands/generate.ts')).generateCommand,
  },
  adopt: {
    summary: 'make a lake of a folder of Parquet files, where it stands',
    load: async () => (await import('./commands/adopt.ts')).adoptCommand,
  },
  compact: {
    summary: 'fold closed days into months and years, so that queries open fewer files',
    load: async () => (await import('./commands/compact.ts')).compactCommand,
  },
  verify: {
    summary: 'read every file of the lake again and name what is wrong',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  vacuum: {
    summary: 'delete files that no recent snapshot needs',
    load: async () => (await import('./commands/vacuum.ts')).vacuumCommand,
  },
  token: {
    summary: 'create, list and revoke the tokens that clients need',
    load: async () => (await import('./commands/token.ts')).token,
  },
} as const satisfies Record<string, { summary: string; load: () => Promise<Command> }>

export type CommandName = keyof typeof COMMANDS

export const commandNames = Object.keys(COMMANDS) as CommandName[]
export const summaryOf = (name: CommandName): string => COMMANDS[name].summary
export const loadCommand = (name: CommandName): Promise<Command> => COMMANDS[name].load()
