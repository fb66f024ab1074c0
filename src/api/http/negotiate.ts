import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { FORMATS, type Format, formatNames } from '../../operations/answering/formats.ts'
import { CODINGS, type Coding } from '../service/codings.ts'
import { preferredType, weightsOf } from './accept.ts'

const contentTypes = formatNames.map(name => FORMATS[name].contentType)

/** The format that the client prefers: JSON if it has no preference, null if it accepts none of the formats. */
export function formatFor({ headers }: Pick<FastifyRequest, 'headers'>): Format | null {
  const contentType = preferredType(headers.accept, contentTypes)
  return formatNames.find(name => FORMATS[name].contentType === contentType) ?? null
}

// The default of 11 is too slow for responses. 4 is as fast as gzip and smaller.
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 4 }

const compress = {
  gzip: promisify(gzip),
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: { ...QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength },
    }),
}

/**
 * The content coding of a response; null if the client accepts none. A response that is compressed itself, such as Parquet, is
 * encoded only for a client that excludes `identity`.
 */
export function codingFor({ headers }: FastifyRequest, isCompressed = false): Coding | null {
  const header = headers['accept-encoding']
  if (header === undefined) return 'identity'
  const weight = weightsOf(header)
  if (isCompressed && weight('identity') > 0) return 'identity'
  const [best] = CODINGS.toSorted((a, b) => weight(b) - weight(a))
  return best !== undefined && weight(best) > 0 ? best : null
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

/** What follows `tag` and a period in the tags of an `If-None-Match` header that begin with it. */
export function tagSuffixes(header: string, tag: string): string[] {
  const start = `${tag.slice(0, -1)}.`
  return header
    .split(',')
    .map(listed => listed.trim().replace(/^W\//, ''))
    .filter(listed => listed.startsWith(start))
    .map(listed => listed.slice(start.length, -1))
}
