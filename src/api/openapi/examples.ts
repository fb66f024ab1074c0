import { resources } from '../../engine/resources.ts'
import type { Operation } from '../../operations/answering/operation.ts'

/** A request and its response on a synthetic market, cut to its first records. */
export interface Example {
  /** Path and query. */
  readonly request: string
  /** The JSON answer. */
  readonly answer: object
}

const FOLDER = 'data/examples'

/** File of an operation's example, relative to the project's root. */
export const examplePath = (id: string): string => `${FOLDER}/${id}.json`

/** Content of that file. */
export const exampleText = (example: Example): string => `${JSON.stringify(example, null, 2)}\n`

const cached = new Map<string, Example | undefined>()

/** The example of an operation, read once; undefined if it has none. */
export function readExample(id: string): Example | undefined {
  if (!cached.has(id)) {
    const exists = resources.list(FOLDER).includes(`${id}.json`)
    cached.set(id, exists ? (JSON.parse(resources.read(examplePath(id))) as Example) : undefined)
  }
  return cached.get(id)
}

/** The values of an example's parameters, as a client sends them. */
export function valuesIn({ path }: Operation, { request }: Example): Readonly<Record<string, string>> {
  const { pathname, searchParams } = new URL(request, 'http://localhost')
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const [, ...texts] = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname) ?? []
  const inPath = names.map((name, place) => [name, decodeURIComponent(texts[place] ?? '')])
  return Object.fromEntries([...inPath, ...searchParams])
}

/** The values of the operation's example, for the examples of its parameters; none if it has no example. */
export function exampleValues(operation: Operation): Readonly<Record<string, string>> {
  const example = readExample(operation.id)
  return example === undefined ? {} : valuesIn(operation, example)
}
