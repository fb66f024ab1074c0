import type { Encoding } from '../../engine/engine.ts'

/** The formats of answers by their names on the command line, in the order of preference of a client without one. */
export const FORMATS = {
  json: { mediaType: 'application/json', contentType: 'application/json; charset=utf-8' },
  csv: { mediaType: 'text/csv', contentType: 'text/csv; charset=utf-8; header=present' },
  ndjson: { mediaType: 'application/x-ndjson', contentType: 'application/x-ndjson; charset=utf-8' },
  arrow: {
    mediaType: 'application/vnd.apache.arrow.stream',
    contentType: 'application/vnd.apache.arrow.stream',
  },
  parquet: { mediaType: 'application/vnd.apache.parquet', contentType: 'application/vnd.apache.parquet' },
} as const satisfies Record<Encoding, { mediaType: string; contentType: string }>

export type Format = keyof typeof FORMATS

export const formatNames = Object.keys(FORMATS) as Format[]
export const mediaTypes = formatNames.map(name => FORMATS[name].mediaType)
