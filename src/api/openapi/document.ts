import { version } from '../../engine/resources.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { SUBJECTS, type Subject } from '../../operations/answering/template-head.ts'
import type { Components } from './components.ts'
import { ERROR_BODIES, ERROR_RESPONSES } from './error-responses.ts'
import { headerComponents } from './headers.ts'
import { describeOperation } from './operation.ts'
import type { Permitted } from './parameters.ts'

/** The OpenAPI 3.1 document of all operations. `server` is the URL at which clients reach the API. */
export function openApi(operations: readonly Operation[], server: string, permitted: Permitted = {}) {
  const components: Components = new Map(Object.entries(ERROR_BODIES))
  const described = operations.map(
    operation => [operation.path, { get: describeOperation(operation, permitted, components) }] as const,
  )
  const subjects = SUBJECTS.filter(subject => operations.some(operation => operation.subject === subject))
  return {
    openapi: '3.1.0',
    info: {
      title: 'tapehouse',
      version: version(),
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: server }],
    security: [{ token: [] }],
    tags: subjects.map(name => ({ name: name as string, description: ABOUT[name] })),
    paths: Object.fromEntries(described),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'UUID',
          description: 'A UUID. `tapehouse token create` makes one.',
        },
      },
      headers: headerComponents(permitted),
      responses: ERROR_RESPONSES,
      schemas: Object.fromEntries(components),
    },
  }
}

/** What the operations of each subject answer. */
const ABOUT: Readonly<Record<Subject, string>> = {
  'Options flow': 'Option trades of a day, the alerts that they raised, and the legs of multi-leg orders.',
  'Option contracts':
    'Prices, volume, open interest and greeks of option contracts, by contract, strike and expiry.',
  'Stocks and ETFs': 'Price levels of stocks, cash flows of companies, and figures and holdings of funds.',
  Institutions: 'Holdings of institutions, as they report them on Form 13F.',
  'Politicians and insiders':
    'Trades of members of Congress and of insiders, contributions of companies, and posts of the president.',
  'Prediction markets': 'Positions of insiders on prediction markets, and order books.',
  'Economy and currencies': 'Series of the economy, and exchange rates.',
  Crypto: 'Candles of pairs of cryptocurrencies.',
  Analytics: 'Statistics on the prices of several symbols over a window.',
  Alerts: 'The alerts that a token may see.',
}

const DESCRIPTION = [
  'Read-only market data over a lake of Parquet files. Every operation is a GET request with a bearer token; HEAD gives the same headers without a body.',
  'A query parameter with an empty value is the same as none. A list is sent as one parameter per value, `name=a&name=b`; values of an enumeration can also be joined with commas, `name=a,b`. A name that ends with brackets can be sent without them, or with an index.',
  'A number has at most 38 digits, and an exponent of at most ±18. `true`, `false` and the values of enumerations are accepted in any case.',
  'The header `Accept` selects the format. Default: JSON. In JSON, a decimal is a string, so that it keeps all its digits.',
].join('\n\n')
