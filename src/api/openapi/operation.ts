import { FORMATS, formatNames } from '../../operations/answering/formats.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { type Components, withReferences } from './components.ts'
import { errorResponses } from './error-responses.ts'
import { exampleValues, readExample } from './examples.ts'
import { type HeaderName, headers, permittedHeaders } from './headers.ts'
import { describeParameter, type Permitted, permittedParameters } from './parameters.ts'

/** An operation, as the document describes it. The schemas of its objects are added to `components`. */
export function describeOperation(operation: Operation, permitted: Permitted, components: Components) {
  const { id, subject, summary, description, parameters, response } = operation
  const values = exampleValues(operation)
  const state: HeaderName[] = [
    'X-Request-Id',
    'X-Tapehouse-Snapshot',
    ...permittedHeaders(permitted),
    'X-Tapehouse-Date',
    'X-Tapehouse-Empty',
    'X-Tapehouse-Synthetic',
    'ETag',
    'Cache-Control',
    'Vary',
    ...(hasPages(operation) ? (['Link'] as const) : []),
  ]
  return {
    operationId: id,
    tags: [subject as string],
    summary,
    description,
    parameters: [
      ...Object.entries(parameters).map(([name, parameter]) =>
        describeParameter(name, { ...parameter, example: values[name] ?? parameter.example }),
      ),
      ...permittedParameters(permitted),
    ],
    responses: {
      200: {
        description: 'The requested data.',
        headers: headers(...state),
        content: contentOf(id, withReferences(response, components) as object),
      },
      304: {
        description: 'The response named by If-None-Match is still current.',
        headers: headers(...state),
      },
      ...errorResponses(mayBeMissing(operation) || permitted.allowSnapshots ? [] : [404]),
    },
  }
}

/** What the rows of `data` are in the formats besides JSON. */
const ROWS = {
  csv: 'a line per row after a line with the names of the columns (RFC 4180)',
  ndjson: 'a JSON object per line',
  arrow: 'an Arrow IPC stream of typed columns',
  parquet: 'a Parquet file of typed columns',
} as const

/**
 * The response in each format. The schema of the others is that of the JSON answer, which has the same rows: a
 * generator that joins the types of all formats has one type then.
 */
function contentOf(id: string, schema: object) {
  const example = readExample(id)
  return Object.fromEntries(
    formatNames.map(name => [
      FORMATS[name].mediaType,
      name === 'json'
        ? { schema, ...(example ? { example: example.answer } : {}) }
        : { schema: { ...schema, description: `The rows of \`data\`: ${ROWS[name]}.` } },
    ]),
  )
}

/** Whether an answer can have a next page, which its header Link names. */
const hasPages = ({ parameters }: Operation) => 'page' in parameters || 'older_than' in parameters

/** Whether an operation responds with 404 if it finds nothing. Most return an empty list, some reject the value (422). */
function mayBeMissing({ parameters, missing }: Operation): boolean {
  const values = Object.entries(parameters).map(([name, { parse, example, absent }]) => {
    const parsed = parse([example])
    return [name, 'value' in parsed ? parsed.value : absent]
  })
  return missing?.(Object.fromEntries(values)).code === 'not_found'
}
