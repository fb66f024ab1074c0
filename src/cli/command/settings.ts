/**
 * Every setting, once: a flag `--admin-port`, an environment variable `TAPEHOUSE_ADMIN_PORT`, a line of `--help` and a
 * row of docs/settings.md all come from this table. A flag wins over the environment, the environment over the default.
 */

interface Described {
  readonly help: string
  readonly unit?: string
}

export type Setting = Described &
  (
    | { readonly kind: 'text'; readonly default: string | null }
    | { readonly kind: 'choice'; readonly default: string; readonly values: readonly string[] }
    | { readonly kind: 'integer'; readonly default: number; readonly min: number; readonly max: number }
    | { readonly kind: 'flag'; readonly default: false }
  )

export const SETTINGS = {
  lake: { kind: 'text', default: 'data/lake', help: 'Folder of the lake.' },
  tokens: { kind: 'text', default: 'data/tokens.json', help: 'File of the token digests.' },
  host: { kind: 'text', default: '127.0.0.1', help: 'Address to listen on.' },
  port: {
    kind: 'integer',
    default: 8787,
    min: 0,
    max: 65535,
    help: 'Port to listen on; 0 takes a free one.',
  },
  adminPort: {
    kind: 'integer',
    default: 8788,
    min: 0,
    max: 65535,
    help: 'Port of /-/live, /-/ready and /-/metrics, always on 127.0.0.1; 0 takes a free one.',
  },
  workers: { kind: 'integer', default: 0, min: 0, max: 256, help: 'Worker processes; 0 is one a core.' },
  threads: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 256,
    help: 'Engine threads of a process; 0 shares the cores among the workers.',
  },
  leases: { kind: 'integer', default: 4, min: 1, max: 64, help: 'Queries that a worker runs at once.' },
  queue: {
    kind: 'integer',
    default: 64,
    min: 0,
    max: 100_000,
    help: 'Requests that may wait for a query to end, a worker; more are answered 503.',
  },
  deadlineMs: {
    kind: 'integer',
    default: 10_000,
    min: 1,
    max: 3_600_000,
    unit: 'ms',
    help: 'Time an answer may take, its wait included.',
  },
  memoryMib: {
    kind: 'integer',
    default: 1024,
    min: 64,
    max: 1_048_576,
    unit: 'MiB',
    help: 'Memory that the engine of a process may use; unless this is set, commands that write take 2560 and generate 4096.',
  },
  temporaryMib: {
    kind: 'integer',
    default: 4096,
    min: 0,
    max: 1_048_576,
    unit: 'MiB',
    help: 'Disk that sorts and joins of a worker may spill to.',
  },
  cacheMib: {
    kind: 'integer',
    default: 64,
    min: 1,
    max: 65_536,
    unit: 'MiB',
    help: 'Memory for answers that may be asked for again, a worker.',
  },
  drainMs: {
    kind: 'integer',
    default: 10_000,
    min: 0,
    max: 600_000,
    unit: 'ms',
    help: 'Time that requests under way get to finish when the server stops.',
  },
  replayDate: {
    kind: 'text',
    default: null,
    help: 'Day whose tape /api/socket replays, e.g. 2024-01-18, over and over; the last one with option trades when the server starts if not set.',
  },
  replaySpeed: {
    kind: 'integer',
    default: 1,
    min: 1,
    max: 3600,
    help: 'How many times as fast as it happened the tape is replayed.',
  },
  logLevel: {
    kind: 'choice',
    default: 'info',
    values: ['debug', 'info', 'warn', 'error', 'silent'],
    help: 'What goes to the log on standard error, JSON lines.',
  },
  publicUrl: {
    kind: 'text',
    default: null,
    help: 'Address that clients reach the API at, e.g. https://data.example.org behind a proxy.',
  },
  documentationUrl: {
    kind: 'text',
    default: null,
    help: 'Address of the documents that errors point to; the reference page when not set.',
  },
  tokenUrl: {
    kind: 'text',
    default: null,
    help: 'Address where people get tokens, shown in errors; the reference page when not set.',
  },
  demoDays: {
    kind: 'integer',
    default: 30,
    min: 1,
    max: 250,
    unit: 'sessions',
    help: 'Sessions with options in the demo lake.',
  },
  demoTickers: { kind: 'integer', default: 50, min: 1, max: 500, help: 'Tickers in the demo lake.' },
  demoTrades: {
    kind: 'integer',
    default: 100_000,
    min: 400,
    max: 5_000_000,
    help: 'Option trades a session in the demo lake.',
  },
  supportEmail: { kind: 'text', default: 'support@localhost', help: 'Contact shown in errors.' },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

type ValueOf<S extends Setting> = S extends { kind: 'integer' }
  ? number
  : S extends { kind: 'flag' }
    ? boolean
    : S extends { default: null }
      ? string | null
      : string

export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> }

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** `adminPort` → `admin-port`, without the dashes in front. */
export const flagOf = kebab
/** `adminPort` → `TAPEHOUSE_ADMIN_PORT`. */
export const variableOf = (name: string) => `TAPEHOUSE_${kebab(name).replaceAll('-', '_').toUpperCase()}`

/** The value of one setting from its text, or what is wrong with the text. */
export function readSetting(
  setting: Setting,
  text: string,
): { value: string | number | boolean } | { problem: string } {
  switch (setting.kind) {
    case 'text':
      return text === '' ? { problem: 'must not be empty' } : { value: text }
    case 'flag':
      return /^(true|1)$/i.test(text)
        ? { value: true }
        : /^(false|0)$/i.test(text)
          ? { value: false }
          : { problem: 'must be true or false' }
    case 'choice':
      return setting.values.includes(text)
        ? { value: text }
        : { problem: `must be one of ${setting.values.join(', ')}` }
    case 'integer': {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      return value >= setting.min && value <= setting.max
        ? { value }
        : { problem: `must be a whole number from ${setting.min} to ${setting.max}` }
    }
  }
}
