import type { Command } from './command.ts'

/** Every command, loaded only when it runs: help and mistakes answer without waking the engine. */
const COMMANDS = {
  serve: async () => (await import('./serve.ts')).serve,
  query: async () => (await import('./query.ts')).query,
  import: async () => (await import('./import.ts')).importCommand,
  adopt: async () => (await import('./adopt.ts')).adoptCommand,
  compact: async () => (await import('./compact.ts')).compactCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  vacuum: async () => (await import('./vacuum.ts')).vacuumCommand,
  token: async () => (await import('./token.ts')).token,
} as const satisfies Record<string, () => Promise<Command>>

export type CommandName = keyof typeof COMMANDS

export const commandNames = Object.keys(COMMANDS) as CommandName[]
export const loadCommand = (name: CommandName): Promise<Command> => COMMANDS[name]()
