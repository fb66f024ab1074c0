import type { FastifyServerOptions } from 'fastify'

const unused = () => {
  throw new Error('no route has a schema')
}

/**
 * Options of Fastify for servers whose routes have no schemas: requests are validated by the operations, and answers are bytes.
 * The packages that compile schemas are not loaded: they took 2 % of the start of a worker, and 7 % of that of the supervisor.
 */
export const WITHOUT_SCHEMAS = {
  schemaController: { compilersFactory: { buildValidator: () => unused, buildSerializer: () => unused } },
} as const satisfies Pick<FastifyServerOptions, 'schemaController'>
