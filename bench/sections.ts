import type { Section } from './section.ts'

interface Listed {
  readonly measures: string
  readonly load: () => Promise<Section>
  /** Part of the quick form. */
  readonly isQuick?: boolean
  /** A server is compared with work in the section's own process or with a route: all of them have the allocator of its workers. */
  readonly asWorker?: boolean
  /** Not part of a run without names: it takes minutes, or needs what a checkout lacks. */
  readonly onlyByName?: boolean
}

/** The sections in the order of a full run. */
export const SECTIONS: Readonly<Record<string, Listed>> = {
  operations: {
    measures: 'each operation, against the same statement in the bare engine and an empty route',
    load: async () => (await import('./sections/operations.ts')).operationFloors,
    isQuick: true,
    asWorker: true,
  },
  peers: {
    measures: 'the same questions to tapehouse and to other programs, over the same data',
    load: async () => (await import('./sections/peers.ts')).peers,
    isQuick: true,
  },
  cached: {
    measures: 'repeated answers, whole and as 304, against an empty route of as many bytes',
    load: async () => (await import('./sections/cached.ts')).cachedAnswers,
    isQuick: true,
    asWorker: true,
  },
  mix: {
    measures:
      'all operations in turn with 1, 8 and 64 clients, distinct and repeated: times, goodput, memory',
    load: async () => (await import('./sections/mix.ts')).mixed,
    isQuick: true,
  },
  growth: {
    measures: 'look-ups in lakes with more days, larger days and more contracts',
    load: async () => (await import('./sections/growth.ts')).growth,
    isQuick: true,
  },
  store: {
    measures: "what the store costs when a day is published, against DuckDB's plain COPY of the same rows",
    load: async () => (await import('./sections/store.ts')).storeCost,
    isQuick: true,
    asWorker: true,
  },
  start: {
    measures: 'processor time of short commands, and the time until a server answers',
    load: async () => (await import('./sections/start.ts')).starts,
  },
  'encode-json': {
    measures: 'rows as JSON, against JavaScript',
    load: async () => (await import('./sections/encode-json.ts')).encodeJson,
    isQuick: true,
  },
  calculations: {
    measures: 'the statistics, against simple-statistics and plain JavaScript',
    load: async () => (await import('./sections/calculations.ts')).calculations,
  },
  import: {
    measures: "imports, against DuckDB's plain COPY of the same rows",
    load: async () => (await import('./sections/import.ts')).imports,
  },
  derive: {
    measures: 'derivations of a market and of one four times as large',
    load: async () => (await import('./sections/derive.ts')).derivation,
  },
  generate: {
    measures: 'synthetic markets, against a table of hashed values',
    load: async () => (await import('./sections/generate.ts')).generation,
  },
  stream: {
    measures: 'a day of frags as protobuf, against reading it',
    load: async () => (await import('./sections/stream.ts')).stream,
  },
  socket: {
    measures: '200 sockets with a ticker each: lost messages, delay, memory',
    load: async () => (await import('./sections/socket.ts')).sockets,
  },
  'socket-all': {
    measures: 'one socket with all trades, at 1, 3 and 10 times real time',
    load: async () => (await import('./sections/socket-all.ts')).socketAll,
    onlyByName: true,
  },
  binary: {
    measures: 'a warm query by the single binary, against the checkout',
    load: async () => (await import('./sections/binary.ts')).singleBinary,
    onlyByName: true,
  },
}
