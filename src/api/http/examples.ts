import { resources } from '../../engine/resources.ts'

/** An answer as it comes from a synthetic market, cut to its first records. */
export interface Example {
  /** Path and query. */
  readonly request: string
  /** The JSON answer. */
  readonly answer: object
}

const FOLDER = 'data/examples'

/** Where an operation's example stands, relative to the project's root. */
export const examplePath = (id: string): string => `${FOLDER}/${id}.json`

/** How it stands there. */
export const exampleText = (example: Example): string => `${JSON.stringify(example, null, 2)}\n`

const known = new Map<string, Example | undefined>()

/** The example of an operation, read once; undefined where none has been made. */
export function readExample(id: string): Example | undefined {
  if (!known.has(id)) {
    const isThere = resources.list(FOLDER).includes(`${id}.json`)
    known.set(id, isThere ? (JSON.parse(resources.read(examplePath(id))) as Example) : undefined)
  }
  return known.get(id)
}
