import { ERROR_STATUSES } from '../../api/openapi/error-bodies.ts'
import { table } from './markdown.ts'

/** The body of each error of an operation: its fields, and the codes that it can have. */
export const errorsOfOperations = (): string =>
  table(
    ['Status', '`code`', 'Fields of the body'],
    ERROR_STATUSES.map(({ status, codes, body }) => [
      String(status),
      'code' in Object(body.properties) ? codes.map(code => `\`${code}\``).join(', ') : 'none',
      Object.keys(Object(body.properties))
        .map(field => `\`${field}\``)
        .join(', '),
    ]),
  )
