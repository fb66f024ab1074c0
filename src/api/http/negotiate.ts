import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { FORMATS, type Format, formatNames, mediaTypes } from '../../operations/answering/formats.ts'

/** The format that a client prefers; JSON when it has no wish, null when it takes none of ours. */
export function formatFor(request: FastifyRequest): Format | null {
  const type = request.accepts().type([...mediaTypes])
  return formatNames.find(name => FORMATS[name].mediaType === type) ?? null
}

export type Coding = 'identity' | 'gzip' | 'br'

// The default of 11 is for files that are made once; 4 is as fast as gzip and smaller.
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 4 }

const squeeze = {
  gzip: promisify(gzip),
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: { ...QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength },
    }),
}

/** The content coding of an answer. Parquet is compressed inside. */
export function codingFor(request: FastifyRequest, format: Format): Coding {
  if (format === 'parquet') return 'identity'
  const coding = request.accepts().encoding(['br', 'gzip', 'identity'])
  return coding === 'br' || coding === 'gzip' ? coding : 'identity'
}

export async function encodeContent(bytes: Uint8Array, coding: Coding): Promise<Uint8Array> {
  return coding === 'identity' ? bytes : squeeze[coding](bytes)
}

/** The same for an answer that comes in parts; null where it goes out as it is. */
export function contentEncoder(coding: Coding): Transform | null {
  if (coding === 'identity') return null
  return coding === 'gzip' ? createGzip() : createBrotliCompress({ params: QUALITY })
}

/** Whether an `If-None-Match` header names this tag. Weakness does not matter for GET. */
export function noneMatch(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some(named => named.trim().replace(/^W\//, '') === tag)
}
