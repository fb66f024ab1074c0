import { createHash } from 'node:crypto'
import { Failure } from '../../engine/failure.ts'
import { isValidDate } from '../../market/day.ts'
import type { Operation } from '../answering/operation.ts'
import type { Input } from '../answering/validate.ts'
import { operations } from '../index.ts'

/** What identifies the JSON answer to a request, so that it can be reproduced. */
export interface Citation {
  readonly operation: Operation
  /** The parameters as the client sent them, in path and query. */
  readonly input: Input
  readonly snapshot: number
  /** The day, `YYYY-MM-DD`, whose knowledge the answer is limited to; null: not limited. */
  readonly asOf: string | null
  /** The version of tapehouse and a hash of its code. */
  readonly build: string
  /** Hash of the SQL: see `templatesHash`. */
  readonly template: string
  /** Hash of the files that were read: see `filesHash`. */
  readonly files: string
  /** sha256 of the bytes of the JSON answer, in hex. */
  readonly sha256: string
}

const LINE =
  /^tapehouse:1 ([a-z0-9-]+)\?(\S{0,60000}) snapshot=([1-9]\d{0,14})(?: as-of=(\d{4}-\d\d-\d\d))? build=([\w.+-]{1,100}) template=([0-9a-f]{16}) files=([0-9a-f]{16}) sha256=([0-9a-f]{64}) check=[0-9a-f]{8}$/

/**
 * A citation as one line of printable ASCII without quotes, which can be pasted into a shell between quotes. Parameters
 * are percent-encoded as in the query of an address, those of the path first.
 */
export function formatCitation({
  operation,
  input,
  snapshot,
  asOf,
  build,
  template,
  files,
  sha256,
}: Citation): string {
  const parameters = new URLSearchParams([
    ...Object.entries(input.path),
    ...input.query.map(([name, value]): [string, string] => [name, value]),
  ])
  const state = asOf === null ? `${snapshot}` : `${snapshot} as-of=${asOf}`
  return checked(
    `tapehouse:1 ${operation.id}?${parameters} snapshot=${state} build=${build} template=${template} files=${files} sha256=${sha256}`,
  )
}

/** A line with its checksum: a request that was edited may have the same answer, such as an empty list. */
const checked = (line: string) =>
  `${line} check=${createHash('sha256').update(line).digest('hex').slice(0, 8)}`

/** Parses a citation. Throws usage if it is not one, or not complete. */
export function parseCitation(text: string): Citation {
  const line = text.trim()
  const version = /^tapehouse:(\d{1,9})(?= )/.exec(line)?.[1]
  if (version === undefined) throw refused(line, 'it must begin with "tapehouse:1 "')
  if (version !== '1')
    throw refused(
      line,
      `this version of tapehouse reads citations of version 1, not ${version}: upgrade tapehouse`,
    )
  const [, id, parameters, snapshot, asOf, build = '', template = '', files = '', sha256 = ''] =
    LINE.exec(line) ?? []
  if (id === undefined)
    throw refused(
      line,
      'expected "tapehouse:1 OPERATION?PARAMETERS snapshot=… build=… template=… files=… sha256=… check=…": copy the whole line',
    )
  if (asOf !== undefined && !isValidDate(asOf)) throw refused(line, `${asOf} is not a date`)
  if (checked(line.slice(0, line.lastIndexOf(' '))) !== line)
    throw refused(
      line,
      'its checksum does not match, so it was changed: copy the line again, or make a new one with --explain',
    )
  const operation = operations.find(each => each.id === id)
  if (operation === undefined) throw refused(line, `there is no operation ${id}`)
  const pairs = [...new URLSearchParams(parameters)]
  const inPath = ([name]: [string, string]) => operation.parameters[name]?.in === 'path'
  return {
    operation,
    input: { path: Object.fromEntries(pairs.filter(inPath)), query: pairs.filter(pair => !inPath(pair)) },
    snapshot: Number(snapshot),
    asOf: asOf ?? null,
    build,
    template,
    files,
    sha256,
  }
}

const SHOWN_MAX = 60

const refused = (line: string, problem: string) =>
  new Failure(
    'usage',
    `${JSON.stringify(line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX)}…` : line)} is not a citation: ${problem}`,
  )
