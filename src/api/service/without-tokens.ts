import type { Grants } from './grant.ts'

const UUID_CHARACTERS = 36
const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** A text for the log, without the valid tokens that it contains. A path of an operation can contain other UUIDs. */
export const withoutTokens = (text: string, grants: Grants): string =>
  text.length < UUID_CHARACTERS
    ? text
    : text.replaceAll(UUIDS, uuid => (grants.find(uuid) === null ? uuid : 'REDACTED'))
