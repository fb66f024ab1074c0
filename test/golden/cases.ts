import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Engine } from '../../src/engine/engine.ts'
import { Failure } from '../../src/engine/failure.ts'
import type { Snapshot } from '../../src/lake/store/snapshot.ts'
import { answer, pin } from '../../src/operations/answering/answer.ts'
import type { Format } from '../../src/operations/answering/formats.ts'
import type { Caller, Operation } from '../../src/operations/answering/operation.ts'
import { type Input, InvalidRequest, validate } from '../../src/operations/answering/validate.ts'
import { operations } from '../../src/operations/index.ts'

/** Requests with expected answers that were worked out by hand, as `test/golden/README.md` describes. */

const FOLDER = fileURLToPath(new URL('.', import.meta.url))

const CaseFile = Type.Object(
  {
    how: Type.String({ minLength: 20 }),
    lake: Type.Optional(Type.String()),
    owner: Type.Optional(Type.String()),
    admin: Type.Optional(Type.Boolean()),
    request: Type.Optional(Type.String()),
    format: Type.Optional(Type.Enum(['csv', 'ndjson'])),
    answer: Type.Optional(Type.Unknown()),
    refused: Type.Optional(Type.Array(Type.String())),
    path: Type.Optional(Type.String()),
    key: Type.Optional(Type.Array(Type.String())),
    rows: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]))),
  },
  { additionalProperties: false },
)
type CaseFile = Type.Static<typeof CaseFile>
const EquivalentFile = Type.Record(Type.String(), Type.String({ minLength: 20 }))

/** One request and its expected result. */
export interface Expectation {
  readonly request: string
  readonly caller: Caller
  /** The format of the answer. The body of an answer that is not JSON is its text. */
  readonly format: Format
  /** Whether a body is as expected: the whole answer, or a list of keys, one per record. */
  readonly matches: (body: unknown) => boolean
  readonly expected: unknown
  readonly shown: (body: unknown) => unknown
  /** Parts of the message of a request that must fail. */
  readonly refused: readonly string[] | null
}

export interface GoldenCase {
  readonly operation: Operation
  readonly name: string
  readonly how: string
  /** Folder of its lake. */
  readonly lake: string
  readonly expectations: readonly Expectation[]
}

/** All cases of an operation, sorted by name. Throws where a file is not a case. */
export function casesOf(operation: Operation): GoldenCase[] {
  const folder = join(FOLDER, operation.id)
  return namesIn(folder).map(name => {
    const file: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    if (!Value.Check(CaseFile, file))
      throw new Error(
        `test/golden/${operation.id}/${name}: ${JSON.stringify(Value.Errors(CaseFile, file)[0])}`,
      )
    const lake = join(folder, file.lake ?? 'lake')
    return { operation, name, how: file.how, lake, expectations: expectationsOf(file) }
  })
}

/** Mutations of the template that no request can detect. */
const EQUIVALENT = 'equivalent.json'
/** Files beside the cases. `lineage.json` is what the table of fields cannot say of the columns. */
const NO_CASES: readonly string[] = [EQUIVALENT, 'lineage.json']

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.endsWith('.json') && !NO_CASES.includes(name))
    .sort()
}

/** Mutations of an operation's template that no request can detect, each with the reason. */
export function equivalentOf({ id }: Operation): Readonly<Record<string, string>> {
  const path = join(FOLDER, id, EQUIVALENT)
  if (!existsSync(path)) return {}
  const file: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!Value.Check(EquivalentFile, file))
    throw new Error(
      `test/golden/${id}/${EQUIVALENT}: expected an object of mutations, each with the reason as text`,
    )
  return file
}

function expectationsOf(file: CaseFile): Expectation[] {
  const caller = { owner: file.owner ?? null, admin: file.admin ?? false }
  if (file.request !== undefined) {
    return [
      {
        request: file.request,
        caller,
        format: file.format ?? 'json',
        expected: file.answer ?? file.refused,
        matches: body => isDeepStrictEqual(body, file.answer),
        shown: body => body,
        refused: file.refused ?? null,
      },
    ]
  }
  const keyOf = (body: unknown) =>
    recordsOf(body).map(record => (file.key ?? []).map(name => String(record[name])).join('|'))
  return Object.entries(file.rows ?? {}).map(([query, rows]) => {
    const expected = typeof rows === 'string' ? rows.split(' ').filter(row => row !== '') : rows
    return {
      request: `${file.path}${query}`,
      caller,
      format: 'json',
      expected,
      matches: body => isDeepStrictEqual(keyOf(body), expected),
      shown: keyOf,
      refused: null,
    }
  })
}

/** The records of an answer, wherever they are in its envelope. */
export function recordsOf(body: unknown): Record<string, unknown>[] {
  const { data } = body as { data: unknown }
  if (Array.isArray(data)) return data
  const inner = (data as { data?: unknown } | null)?.data
  return Array.isArray(inner) ? inner : data === null ? [] : [data as Record<string, unknown>]
}

/** The path and query parameters of a request. Throws if its path is not that of the operation. */
export function inputOf({ id, path }: Operation, request: string): Input {
  const [address = '', query = ''] = request.split(/\?(.*)/s)
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const found = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(address)
  if (!found) throw new Error(`${address} does not match the path of ${id}, ${path}`)
  return {
    path: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')])),
    query: [...new URLSearchParams(query)],
  }
}

/** Runs one request and describes how the result differs from the expected one; null if it does not. */
export async function mismatch(
  operation: Operation,
  expectation: Expectation,
  snapshot: Snapshot,
  engine: Engine,
): Promise<string | null> {
  const { request, caller, format, expected, refused } = expectation
  const validated = validate(operation, inputOf(operation, request))
  const describe = (got: unknown) =>
    `${request}\n  expected ${JSON.stringify(expected)}\n  got      ${JSON.stringify(got)}`
  if ('faults' in validated) return refusal(new InvalidRequest(validated.faults).message, refused, describe)
  let bytes: Uint8Array
  try {
    const pinned = pin(operation, validated.values, snapshot, caller)
    bytes = (await answer(pinned, engine, format, new AbortController().signal)).bytes
  } catch (thrown) {
    if (thrown instanceof Failure) return refusal(thrown.message, refused, describe)
    throw thrown
  }
  const text = Buffer.from(bytes).toString()
  const body: unknown = format === 'json' ? JSON.parse(text) : text
  if (refused !== null) return describe(body)
  const [unfit] = format === 'json' ? Value.Errors(operation.response, body) : []
  if (unfit) return `${request}\n  does not fit its schema: ${JSON.stringify(unfit)}`
  return expectation.matches(body) ? null : describe(expectation.shown(body))
}

/** Whether a request reads other files of one state than of another: otherwise both run the same query on the same files. */
export function readsDiffer(
  operation: Operation,
  { request, caller }: Expectation,
  one: Snapshot,
  other: Snapshot,
): boolean {
  const validated = validate(operation, inputOf(operation, request))
  if ('faults' in validated) return false
  // What a request reads after its first query may depend on that.
  if (operation.settle !== undefined) return true
  const filesOf = (state: Snapshot) =>
    [...pin(operation, validated.values, state, caller).files].map(([dataset, files]) => [
      dataset,
      ...files.map(({ name }) => name),
    ])
  try {
    return JSON.stringify(filesOf(one)) !== JSON.stringify(filesOf(other))
  } catch (thrown) {
    if (thrown instanceof Failure) return true
    throw thrown
  }
}

function refusal(
  message: string,
  parts: readonly string[] | null,
  describe: (got: unknown) => string,
): string | null {
  return parts?.every(part => message.includes(part)) ? null : describe(message)
}

/** The operation with an id. Throws if there is none. */
export const operationOf = (id: string): Operation => {
  const found = operations.find(each => each.id === id)
  if (found === undefined) throw new Error(`there is no operation ${id}`)
  return found
}
