import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { FORMATS, type Format, formatNames, mediaTypes } from '../../operations/answering/formats.ts'

/** The format that the client prefers: JSON if it has no preference, null if it accepts none of the formats. */
export function formatFor(request: FastifyRequest): Format | null {
  const type = request.accepts().type([...mediaTypes])
  return formatNames.find(name => FORMATS[name].mediaType === type) ?? null
}

export type Coding = 'identity' | 'gzip' | 'br'

// The default of 11 is too slow for responses. 4 is as fast as gzip and smaller.
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 4 }

const compress = {
  gzip: promisify(gzip),
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: { ...QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength },
    }),
}

/** The content coding of a response. Parquet is not encoded, because it is compressed itself. */
export function codingFor(request: FastifyRequest, format: Format): Coding {
  if (format === 'parquet') return 'identity'
  const coding = request.accepts().encoding(['br', 'gzip', 'identity'])
  return coding === 'br' || coding === 'gzip' ? coding : 'identity'
}

export async function encodeContent(bytes: Uint8Array, coding: Coding): Promise<Uint8Array> {
  return coding === 'identity' ? bytes : compress[coding](bytes)
}

/** An encoder for a response that is sent in parts; null for `identity`. */
export function contentEncoder(coding: Coding): Transform | null {
  if (coding === 'identity') return null
  return coding === 'gzip' ? createGzip() : createBrotliCompress({ params: QUALITY })
}

/** Whether an `If-None-Match` header contains this tag, by weak comparison (RFC 9110, section 13.1.2). */
export function noneMatch(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some(listed => listed.trim().replace(/^W\//, '') === tag)
}
