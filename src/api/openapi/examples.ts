import { resources } from '../../engine/resources.ts'

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
