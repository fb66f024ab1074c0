import { firstLine } from '../../../engine/failure.ts'
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

/** Looks at a JSON file, with the memory of a few rows. Returns the reason if it is not JSON. */
export async function lookAtJson(bytes: () => AsyncIterable<Buffer>): Promise<Looked | string> {
  let head: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes()) {
    head = Buffer.concat([head, chunk])
    if (head.length > HEAD_BYTES) break
  }
  const text = head.toString('utf8')
  const whole = head.length > HEAD_BYTES ? text.slice(0, text.lastIndexOf('\n') + 1) : text
  const documents = linesIn(whole.split('\n', LINES))
  if (documents !== null) return { document: documents, isLines: true }
  try {
    const document = await skeletonOf(bytes())
    return document === undefined ? 'it is empty' : { document, isLines: false }
  } catch (thrown) {
    return (head.length > HEAD_BYTES ? null : faultOfJson(text)) ?? firstLine(thrown)
  }
}

/** Why a text is not one JSON document, with the place; null if it is one. */
export function faultOfJson(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (thrown) {
    const position = Number(/at position (\d+)/.exec(firstLine(thrown))?.[1] ?? text.length)
    const before = text.slice(0, position).split('\n')
    const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
    const rest = text.slice(position, position + REST_CHARACTERS).trim()
    return rest === ''
      ? `it is JSON that ends too early, at ${place}`
      : `it is not JSON at ${place}: ${JSON.stringify(rest)}`
  }
}

const REST_CHARACTERS = 40

/** The documents of JSON lines; null if the lines are not JSON lines. A few may be broken, as the last one of a download. */
function linesIn(lines: readonly string[]): unknown[] | null {
  const filled = lines.filter(line => line.trim() !== '')
  const documents = filled.map(parse).filter(each => typeof each === 'object')
  return filled.length > 1 && documents.length * 2 > filled.length ? documents : null
}

/** The document, or the list of the documents of JSON lines, without broken ones; undefined if the text is neither. */
export function documentIn(content: string): unknown {
  const whole = parse(content)
  if (whole !== undefined) return whole
  return linesIn(content.split('\n')) ?? undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(exact(text))
  } catch {
    return undefined
  }
}
