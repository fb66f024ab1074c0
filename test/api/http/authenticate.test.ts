import { expect, test } from 'vitest'
import { authenticate } from '../../../src/api/http/authenticate.ts'
import type { Grant, Grants } from '../../../src/api/service/grant.ts'

const CONTACTS = { documentation_url: 'a', support_email: 'b', token_url: 'c' }
const grant: Grant = { name: 'me', owner: null, admin: false, allows: () => true, reaches: () => true }
/** Fixed, because the names of tests have them. */
const TOKEN = '3f2c1b0a-9d8e-4c7b-a6f5-0123456789ab'
const OTHER = '3f2c1b0a-9d8e-4c7b-a6f5-0123456789ac'

/** What a header is answered: the name of its grant, or status and reason of the refusal. */
function outcomeOf(authorization: string | undefined, isPermitted = true): string {
  const asked: string[] = []
  const grants: Pick<Grants, 'find'> = {
    find: token => {
      asked.push(token)
      return token === TOKEN ? grant : null
    },
  }
  const result = authenticate(
    authorization,
    found => found === grant && isPermitted,
    grants,
    'id-1',
    () => CONTACTS,
  )
  if ('name' in result) return `granted ${result.name}`
  const { reason, message, request_id, token_url } = result.body
  expect([request_id, token_url]).toEqual(['id-1', CONTACTS.token_url])
  return `${result.status} ${reason}: ${message} (${asked.length} looked up)`
}

const MISSING =
  '401 malformed_token: This API requires a token: send the header "Authorization: Bearer <token>" with a token that is a UUID. (0 looked up)'
const MALFORMED = '401 malformed_token: The token in the Authorization header is not a UUID. (0 looked up)'
const UNKNOWN = '401 unknown_token: The token is unknown, revoked or expired. (1 looked up)'

test.each<[header: string | undefined, outcome: string]>([
  [`Bearer ${TOKEN}`, 'granted me'],
  [`bearer    ${TOKEN}  `, 'granted me'],
  [undefined, MISSING],
  ['', MISSING],
  ['Bearer', MISSING],
  ['Bearer ', MISSING],
  [TOKEN, MISSING],
  [`Bearer${TOKEN}`, MISSING],
  [`Basic ${TOKEN}`, MISSING],
  [` Bearer ${TOKEN}`, MISSING],
  [`Digest Bearer ${TOKEN}`, MISSING],
  [`Bearer\t${TOKEN}`, MISSING],
  [`Bearer \t${TOKEN}`, MISSING],
  [`Bearer ${TOKEN}\nx`, MISSING],
  ['Bearer x', MALFORMED],
  ['Bearer xy', MALFORMED],
  [`Bearer x${TOKEN}`, MALFORMED],
  [`Bearer ${TOKEN}x`, MALFORMED],
  [`Bearer ${TOKEN} ${TOKEN}`, MALFORMED],
  [`Bearer ${TOKEN.replaceAll('-', '')}`, MALFORMED],
  [`Bearer ${TOKEN.slice(0, -1)}g`, MALFORMED],
  [`Bearer ${OTHER}`, UNKNOWN],
  [`Bearer ${OTHER.toUpperCase()}`, UNKNOWN],
])('the header %j is %s', (header, outcome) => {
  expect(outcomeOf(header)).toBe(outcome)
})

test('a token without permission is refused after it is known', () => {
  expect(outcomeOf(`Bearer ${TOKEN}`, false)).toBe(
    '403 route_not_permitted: The token is valid but has no permission for this route. (1 looked up)',
  )
  expect(outcomeOf(`Bearer ${OTHER}`, false)).toBe(UNKNOWN)
})
