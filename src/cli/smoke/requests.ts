import { date } from '../../engine/bind.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import type { Input } from '../../operations/answering/validate.ts'

/** Parameters of requests that the lake should have an answer to, best first; empty where the lake lacks the data. */
export async function requestsFor(
  operation: Operation,
  snapshot: Snapshot,
  engine: Engine,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>[]> {
  const { examples: searches } = operation
  if (searches.length === 0) return [{}]
  // The default date of some operations is the last closed day, that of others the latest date.
  const dated = searches.flatMap(search => {
    const dates = [snapshot.closedDate(search.dataset), snapshot.lastDate(search.dataset)]
    return [...new Set(dates.flatMap(day => day ?? []))].map(last => ({ ...search, last }))
  })
  const found = await Promise.all(
    dated.map(async ({ dataset, sql, everywhere, last }) => {
      const files = snapshot.files(dataset, everywhere ? {} : { from: last })
      const bindings = { files: engine.bindFiles(dataset, files), last: date(last) }
      const template = { name: `${operation.id} request`, sql, parameters: ['files', 'last'] }
      const { bytes } = await engine.encode({ operation: operation.id, template, bindings }, 'ndjson', signal)
      return Buffer.from(bytes)
        .toString()
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as Record<string, string>)
    }),
  )
  return found.flat()
}

/** A request as the operation validates it. */
export function inputFor({ parameters }: Operation, values: Readonly<Record<string, string>>): Input {
  const [path, query] = (['path', 'query'] as const).map(place =>
    Object.entries(values).filter(([name]) => parameters[name]?.in === place),
  )
  return { path: Object.fromEntries(path ?? []), query: query ?? [] }
}

/** The path and query of a request. */
export function addressFor(operation: Operation, values: Readonly<Record<string, string>>): string {
  const { path, query } = inputFor(operation, values)
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  )
  return `${filled}${query.length > 0 ? `?${new URLSearchParams(Object.fromEntries(query))}` : ''}`
}
