import { exact } from './exact.ts'
import { skeletonOf } from './skeleton.ts'

/** What a JSON file is: its document without most of its elements, or the list of its first lines. */
export interface Looked {
  readonly document: unknown
  readonly isLines: boolean
}

/** Enough for the first lines. */
const HEAD_BYTES = 1 << 20
const LINES = 50

/** Looks at a JSON file, with the memory of a few rows; undefined if it is not JSON. */
export async function lookAtJson(bytes: () => AsyncIterable<Buffer>): Promise<Looked | undefined> {
  let head: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes()) {
    head = Buffer.concat([head, chunk])
    if (head.length > HEAD_BYTES) break
  }
  const text = head.toString('utf8')
  const whole = head.length > HEAD_BYTES ? text.slice(0, text.lastIndexOf('\n') + 1) : text
  const lines = whole.split('\n', LINES).filter(line => line.trim() !== '')
  const documents = lines.map(parse)
  if (lines.length > 1 && !documents.includes(undefined)) return { document: documents, isLines: true }
  try {
    const document = await skeletonOf(bytes())
    return document === undefined ? undefined : { document, isLines: false }
  } catch {
    return undefined
  }
}

/** The document, or the list of the documents of JSON lines; undefined if the text is neither. */
export function documentIn(content: string): unknown {
  const whole = parse(content)
  if (whole !== undefined) return whole
  const lines = content.split('\n').filter(line => line.trim() !== '')
  const documents = lines.map(parse)
  return documents.includes(undefined) ? undefined : documents
}

function parse(text: string): unknown {
  try {
    return JSON.parse(exact(text))
  } catch {
    return undefined
  }
}
