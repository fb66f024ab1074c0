import type { Setting } from './setting.ts'

/** The settings of what clients can make a worker hold. */
export const ADMISSION_SETTINGS = {
  connections: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 1_000_000,
    help: 'Maximum number of connections of a worker; 0: as many as the limit of open files (ulimit -n) permits, at most 10000. At the limit, idle connections without a valid token are closed first.',
  },
  peerConnections: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 1_000_000,
    help: 'Maximum number of connections of an address to a worker; behind a trusted proxy, of requests in progress of a client; 0: half of --connections.',
  },
  tokenConnections: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 1_000_000,
    help: 'Maximum number of connections of a token to a worker; behind a trusted proxy, of its requests in progress; 0: half of --connections.',
  },
  rateLimit: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 1_000_000,
    help: 'Maximum number of requests per second of a token to a worker; further requests get 429; 0: no limit.',
  },
  answerMib: {
    kind: 'integer',
    default: 32,
    min: 1,
    max: 1024,
    unit: 'MiB',
    help: 'Maximum size of an answer that is not sent page by page; a request for a longer one gets 422.',
  },
  unreadMib: {
    kind: 'integer',
    default: 128,
    min: 1,
    max: 65_536,
    unit: 'MiB',
    help: 'Memory per worker for answers that clients have not read yet, half of it per token; further requests get 503. At least twice --answer-mib applies.',
  },
  longAnswers: {
    kind: 'integer',
    default: 32,
    min: 1,
    max: 10_000,
    help: 'Maximum number of long answers that a worker sends at the same time, half of them per token; further requests get 503.',
  },
} as const satisfies Record<string, Setting>
