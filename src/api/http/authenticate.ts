import type { FastifyRequest } from 'fastify'
import type { Grant, Grants } from '../service/grant.ts'
import { type Contacts, type Problem, routeNotPermitted, unauthenticated } from '../service/problem.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * The grant of a request's bearer token; a 401 if the token is missing, malformed or not valid; a 403 if `isPermitted`
 * rejects the grant.
 */
export function authenticate(
  authorization: string | undefined,
  isPermitted: (grant: Grant) => boolean,
  grants: Pick<Grants, 'find'>,
  requestId: string,
  contacts: () => Contacts,
): Grant | Problem {
  const token = /^Bearer +(\S.*)$/i.exec(authorization ?? '')?.[1]?.trim()
  if (token === undefined) return unauthenticated('missing', requestId, contacts())
  if (!UUID.test(token)) return unauthenticated('malformed', requestId, contacts())
  const grant = grants.find(token)
  if (grant === null) return unauthenticated('unknown', requestId, contacts())
  if (!isPermitted(grant)) return routeNotPermitted(requestId, contacts())
  return grant
}

/** Whose limits a request counts against. */
export const tokenOf = ({ grant }: Pick<FastifyRequest, 'grant'>): string => grant?.name ?? ''
