import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CODINGS, type Coding } from '../service/codings.ts'
import { notAcceptable } from '../service/problem.ts'
import { send } from '../service/respond.ts'
import { preferredType } from './accept.ts'
import { codingFor, encodeContent, noneMatch } from './negotiate.ts'

/** A body that many requests get, in each content coding. Each is made once. */
export type Document = (coding: Coding) => Promise<Encoded>

interface Encoded {
  readonly content: Uint8Array
  readonly tag: string
}

export function documentOf(text: string): Document {
  const bytes = Buffer.from(text)
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 32)
  const made = new Map<Coding, Promise<Encoded>>()
  const encode = async (coding: Coding) => ({
    content: await encodeContent(bytes, coding),
    tag: `"${digest}.${coding}"`,
  })
  return coding => {
    const encoded = made.get(coding) ?? encode(coding)
    made.set(coding, encoded)
    return encoded
  }
}

/** Sends a document of one content type with its ETag, or a 304, or a 406 before the document is made. */
export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  contentType: string,
  make: () => Document | Promise<Document>,
): Promise<FastifyReply> {
  const [mediaType = ''] = contentType.split(';')
  if (preferredType(request.headers.accept, [contentType]) === null)
    return send(reply, notAcceptable('media types', [mediaType], request.id))
  const coding = codingFor(request)
  if (coding === null) return send(reply, notAcceptable('content codings', CODINGS, request.id))
  const document = await make()
  const { content, tag } = await document(coding)
  reply.header('etag', tag)
  if (noneMatch(request.headers['if-none-match'], tag)) return reply.code(304).send()
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.type(contentType).send(content)
}
