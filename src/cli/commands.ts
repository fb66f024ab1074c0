import type { Command } from './command/command.ts'
import type { Summarised } from './completion/words.ts'

/** Every command. A module is loaded only when its command runs, so that help and usage errors do not load the engine. */
const COMMANDS = {
  serve: {
    summary: 'serve the HTTP API from a lake',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  demo: {
    summary: 'serve a synthetic market with a development token',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  query: {
    summary: 'run one operation on a lake, without a server',
    load: async () => (await import('./commands/query.ts')).query,
  },
  stream: {
    summary: 'replay a day of option trading as protobuf or JSON messages',
    load: async () => (await import('./commands/stream.ts')).stream,
  },
  import: {
    summary: 'import files into a lake',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  imports: {
    summary: 'list the imports of a lake, or undo one',
    load: async () => (await import('./commands/imports.ts')).importsCommand,
  },
  derive: {
    summary: 'compute the derived datasets whose sources have changed',
    load: async () => (await import('./commands/derive.ts')).deriveCommand,
  },
  generate: {
    summary: 'generate a synthetic market with every dataset, of any size',
    load: async () => (await import('./commands/generate.ts')).generateCommand,
  },
  adopt: {
    summary: 'turn a folder of Parquet files into a lake, in place',
    load: async () => (await import('./commands/adopt.ts')).adoptCommand,
  },
  info: {
    summary: 'show what the lake holds, and which operations it can answer',
    load: async () => (await import('./commands/info.ts')).info,
  },
  compact: {
    summary: 'merge daily partitions into monthly and yearly ones, so that queries open fewer files',
    load: async () => (await import('./commands/compact.ts')).compactCommand,
  },
  'upgrade-lake': {
    summary: 'bring the lake of an earlier version to the present format',
    load: async () => (await import('./commands/upgrade-lake.ts')).upgradeLakeCommand,
  },
  verify: {
    summary: 'check every file of the lake',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  audit: {
    summary: 'look for rows that are improbable, such as crossed quotes and undeclared splits',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  vacuum: {
    summary: 'delete files that no recent snapshot uses',
    load: async () => (await import('./commands/vacuum.ts')).vacuumCommand,
  },
  maintain: {
    summary: 'apply retention, derive, compact, vacuum and audit in one run',
    load: async () => (await import('./commands/maintain.ts')).maintain,
  },
  retain: {
    summary: 'set how long the rows of a dataset are held',
    load: async () => (await import('./commands/retain.ts')).retain,
  },
  drop: {
    summary: 'delete rows of a dataset, and derive again what depends on them',
    load: async () => (await import('./commands/drop.ts')).dropCommand,
  },
  snapshots: {
    summary: 'list the snapshots of a lake, and what made them',
    load: async () => (await import('./commands/snapshots.ts')).snapshots,
  },
  snapshot: {
    summary: 'keep a snapshot by a name, release it, or restore an earlier one',
    load: async () => (await import('./commands/snapshot.ts')).snapshot,
  },
  diff: {
    summary: 'compare the rows of two snapshots by dataset and day',
    load: async () => (await import('./commands/diff.ts')).diffCommand,
  },
  compare: {
    summary: 'compare the answers of a server with recorded ones',
    load: async () => (await import('./commands/compare.ts')).compareCommand,
  },
  token: {
    summary: 'create, list and revoke the tokens of clients',
    load: async () => (await import('./commands/token.ts')).token,
  },
  completion: {
    summary: 'print a script that completes commands and flags in a shell',
    load: async () => (await import('./commands/completion.ts')).completion(summarised),
  },
} as const satisfies Record<string, { summary: string; load: () => Promise<Command> }>

export type CommandName = keyof typeof COMMANDS

export const commandNames = Object.keys(COMMANDS) as CommandName[]
export const summaryOf = (name: CommandName): string => COMMANDS[name].summary
function summarised(): Promise<readonly Summarised[]> {
  return Promise.all(
    commandNames.map(async name => ({ command: await loadCommand(name), summary: summaryOf(name) })),
  )
}

export const loadCommand = (name: CommandName): Promise<Command> => COMMANDS[name].load()
