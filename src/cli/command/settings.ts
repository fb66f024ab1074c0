import { ADMISSION_SETTINGS } from './admission-settings.ts'
import { MACHINE_SETTINGS } from './machine-settings.ts'
import { NETWORK_SETTINGS } from './network-settings.ts'
import type { Setting } from './setting.ts'

/**
 * All settings. This table determines their flags (`--admin-port`), environment variables (`TAPEHOUSE_ADMIN_PORT`), lines
 * of `--help` and rows of docs/settings.md. A flag takes precedence over the environment, which takes precedence over the
 * default.
 */
export const SETTINGS = {
  lake: { kind: 'text', default: 'data/lake', help: 'Folder of the lake.' },
  snapshot: {
    kind: 'text',
    default: null,
    help: 'Number or name of the snapshot to read. See tapehouse snapshots.',
    defaultMeaning: 'the current snapshot',
  },
  allowSnapshots: {
    kind: 'flag',
    default: false,
    help: 'Permit ?snapshot=N or ?snapshot=NAME in requests, which then read that snapshot.',
  },
  allowAsOf: {
    kind: 'flag',
    default: false,
    help: 'Permit ?as_of=TIME in requests, which then get what was known at that time. Up to 4 such states per worker are kept in the temporary folder; computing one takes the memory of the engine once more.',
  },
  unknownParameters: {
    kind: 'choice',
    default: 'refuse',
    values: ['refuse', 'ignore'],
    help: 'What to do with parameters of a request that its operation does not have: refuse it with a 422, or ignore them and name them in the header X-Tapehouse-Ignored-Parameters.',
  },
  tokens: { kind: 'text', default: 'data/tokens.json', help: 'File with the digests of the tokens.' },
  ...NETWORK_SETTINGS,
  workers: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 256,
    help: 'Number of worker processes; 0 means one per core.',
  },
  threads: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 256,
    help: 'Engine threads per process; 0 divides the cores among the workers.',
  },
  leases: {
    kind: 'integer',
    default: 4,
    min: 1,
    max: 64,
    help: 'Maximum number of queries that a worker runs at the same time.',
  },
  queue: {
    kind: 'integer',
    default: 64,
    min: 0,
    max: 100_000,
    help: 'Maximum number of requests per worker that wait for a running query; further requests get 503.',
  },
  ...ADMISSION_SETTINGS,
  deadlineMs: {
    kind: 'integer',
    default: 10_000,
    min: 1,
    max: 3_600_000,
    unit: 'ms',
    help: 'Time limit of a query, including its wait.',
  },
  memoryMib: {
    kind: 'integer',
    default: 1024,
    min: 64,
    max: 1_048_576,
    unit: 'MiB',
    help: 'Memory limit of the engine per process. Unless it is set, commands that write use 2560 MiB, and generate uses 4096 MiB.',
  },
  temporaryMib: {
    kind: 'integer',
    default: 4096,
    min: 0,
    max: 1_048_576,
    unit: 'MiB',
    help: 'Limit of the disk space per process that sorts and joins spill to.',
  },
  cacheMib: {
    kind: 'integer',
    default: 64,
    min: 0,
    max: 65_536,
    unit: 'MiB',
    help: 'Memory per worker for cached responses; 0: responses are not cached.',
  },
  storeMib: {
    kind: 'integer',
    default: 256,
    min: 0,
    max: 1_048_576,
    unit: 'MiB',
    help: 'Part of the memory of the engine, at most, for copies of files that are read often; 0: no copies.',
  },
  workerMemoryMib: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 1_048_576,
    unit: 'MiB',
    help: 'Resident memory of a worker beyond which it is replaced; 0: one and a half times --memory-mib, --cache-mib, and 512 MiB.',
  },
  drainMs: {
    kind: 'integer',
    default: 10_000,
    min: 0,
    max: 600_000,
    unit: 'ms',
    help: 'Time that running requests get to finish when the server stops. Then their connections are reset.',
  },
  closedPercent: {
    kind: 'integer',
    default: 50,
    min: 0,
    max: 100,
    unit: '%',
    help: 'Rows that each dataset needs for a trading day, relative to its median, so that the day can be the default date; 0: any day can.',
  },
  closedSessions: {
    kind: 'integer',
    default: 20,
    min: 1,
    max: 260,
    help: 'Number of trading sessions before a day: the median is taken over the days of a dataset among them.',
  },
  maxAge: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 10_000,
    unit: 'sessions',
    help: 'Greatest age of the lake: /-/ready reports 503 if more trading sessions than this have finished since the last closed day; 0: no limit.',
  },
  replayDate: {
    kind: 'text',
    default: null,
    help: 'Trading date that /api/socket replays in a loop, e.g. 2024-01-18.',
    defaultMeaning: 'the last closed date with option trades',
  },
  replaySpeed: {
    kind: 'integer',
    default: 1,
    min: 1,
    max: 3600,
    help: 'Speed of the replay as a multiple of real time.',
  },
  logLevel: {
    kind: 'choice',
    default: 'info',
    values: ['debug', 'info', 'warn', 'error', 'silent'],
    help: 'Lowest level of log messages. The log is JSON lines on standard error.',
  },
  documentationUrl: {
    kind: 'text',
    default: null,
    help: 'URL of the documentation, shown in errors.',
    defaultMeaning: 'the reference page',
  },
  tokenUrl: {
    kind: 'text',
    default: null,
    help: 'URL at which users get tokens, shown in errors.',
    defaultMeaning: 'the reference page',
  },
  demoDays: {
    kind: 'integer',
    default: 30,
    min: 1,
    max: 250,
    unit: 'days',
    help: 'Number of trading days with options in the demo lake.',
  },
  demoTickers: {
    kind: 'integer',
    default: 50,
    min: 1,
    max: 500,
    help: 'Number of tickers in the demo lake.',
  },
  demoTrades: {
    kind: 'integer',
    default: 100_000,
    min: 400,
    max: 5_000_000,
    help: 'Number of option trades per day in the demo lake.',
  },
  nativeDir: {
    kind: 'text',
    default: null,
    help: 'Folder to which the single binary extracts the library of DuckDB. An installation by npm has the library in its own folder.',
    defaultMeaning: 'the folder tapehouse in $XDG_CACHE_HOME, or in ~/.cache',
  },
  proofsDir: {
    kind: 'text',
    default: null,
    help: 'Folder, outside the lake, that remembers which files of a lake were read and found to be as they were written, so that they are not read again after a restart.',
    defaultMeaning: 'the folder tapehouse/proofs in $XDG_CACHE_HOME, or in ~/.cache',
  },
  scrubHours: {
    kind: 'integer',
    default: 24,
    min: 0,
    max: 8760,
    unit: 'hours',
    help: 'All files of the lake are read again within this time, evenly, by one worker, so that a disk that returns other bytes than were written is noticed; 0: they are not.',
  },
  ...MACHINE_SETTINGS,
  supportEmail: { kind: 'text', default: 'support@localhost', help: 'Contact address, shown in errors.' },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

/** Settings of every command, besides its own. */
export const SHARED_SETTINGS: readonly SettingName[] = ['nativeDir', 'tempDir']

type ValueOf<S extends Setting> = S extends { kind: 'integer' }
  ? number
  : S extends { kind: 'flag' }
    ? boolean
    : S extends { default: null }
      ? string | null
      : string

export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> }
