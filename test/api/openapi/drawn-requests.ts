import fc from 'fast-check'
import { expect } from 'vitest'
import { type Documented, type DocumentedOperation, document, type Schema } from '../../fixtures/document.ts'

/**
 * Random requests that are drawn from the OpenAPI document alone: valid ones, and ones with one deliberate fault. What a
 * value may be is what its schema permits.
 */

export interface Drawn {
  /** The path of the operation in the document. */
  readonly path: string
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The fault, and the status that it must have; null for a valid request. */
  readonly fault: { readonly what: string; readonly status: number } | null
}

const days = fc
  .integer({ min: 0, max: 800 })
  .map(day => new Date(Date.UTC(2023, 5, 1 + day)).toISOString().slice(0, 10))

/** The bounds of a number. Beyond 10^15, a double is not printed with all its digits. */
const boundsOf = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema) => ({
  min: minimum ?? Math.max(exclusiveMinimum ?? 0, -1e15),
  max: maximum ?? Math.min(exclusiveMaximum ?? 0, 1e15),
})

const plain = (value: number) => value.toFixed(6).replace(/\.?0+$/, '')

/** Texts that a schema permits. */
function valid(schema: Schema): fc.Arbitrary<string> {
  const { type, format, pattern, minLength = 1, maxLength = 40 } = schema
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (type === 'boolean') return fc.constantFrom('true', 'false')
  const { min, max } = boundsOf(schema)
  const few = { min, max: Math.min(max, Math.max(min, 0) + 300) }
  if (type === 'integer') {
    const step = schema.multipleOf ?? 1
    return fc.oneof(fc.integer(few), fc.integer({ min, max })).map(value => String(value - (value % step)))
  }
  if (type === 'number')
    return fc.oneof(fc.integer(few).map(String), fc.double({ min, max, noNaN: true }).map(plain))
  if (format === 'date') return days
  if (pattern && maxLength === 40) return fc.stringMatching(new RegExp(pattern), { size: 'small' })
  return fc
    .string({ minLength, maxLength, size: 'small' })
    .filter(text => new RegExp(pattern ?? '').test(text))
}

/** Texts that a schema does not permit. */
function invalid(schema: Schema): fc.Arbitrary<string> {
  const { type, format, pattern, maxLength } = schema
  const foreign = fc.constantFrom("'; DROP TABLE x --", '\u0000', '../..', '日本語', '{}')
  if (schema.enum || type === 'boolean') return fc.constantFrom('neither', 'null', 'x'.repeat(300))
  if (type === 'integer' || type === 'number') {
    const { minimum, maximum } = schema
    const beyond = [
      ...(minimum === undefined ? [] : [String(minimum - 1)]),
      ...(maximum === undefined ? [] : [String(maximum + 1)]),
      ...(type === 'integer' ? ['1.5'] : []),
    ]
    return fc.constantFrom('many', 'NaN', '0x10', '9'.repeat(60), ...beyond)
  }
  if (format === 'date') return fc.constantFrom('2024-02-30', 'yesterday', '20240101', '2024-1-1')
  const wrong = [...(maxLength === undefined ? [] : [fc.constant('x'.repeat(maxLength + 1))]), foreign]
  return fc
    .oneof(...wrong)
    .filter(text => !new RegExp(pattern ?? '').test(text) || text.length > (maxLength ?? 1e9))
}

/** The operation of a path. */
export const operationAt = (path: string): DocumentedOperation =>
  document.paths[path]?.get ?? expect.fail(`${path} is not in the document`)

type Pair = readonly [name: string, text: string]

const single = ({ schema }: Documented) => schema.items ?? schema

/** Clients remove them from a path before they send it (RFC 3986, section 5.2.4), so that they are no value of a parameter. */
const DOT_SEGMENTS = new Set(['.', '..'])
const isSent = (parameter: Documented) => (text: string) => parameter.in !== 'path' || !DOT_SEGMENTS.has(text)

/** The values of one parameter: one, or several if it is a list. Half of the values are the example of the document. */
function pairs(parameter: Documented): fc.Arbitrary<readonly Pair[]> {
  const { name, example, schema } = parameter
  const known = String(Array.isArray(example) ? example[0] : example)
  const value = fc.oneof(fc.constant(known), valid(single(parameter)))
  const sent = value.filter(isSent(parameter))
  const texts = schema.items ? fc.array(sent, { minLength: 1, maxLength: 3 }) : sent.map(text => [text])
  return texts.map(list => list.map(text => [name, text] as const))
}

/** A request with these values. The path is a template. */
function addressOf(path: string, parameters: readonly Documented[], values: readonly Pair[]): string {
  const inPath = new Set(parameters.filter(each => each.in === 'path').map(({ name }) => name))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.find(([each]) => each === name)?.[1] ?? ''),
  )
  const query = new URLSearchParams(values.filter(([name]) => !inPath.has(name)).map(([...pair]) => pair))
  return query.size > 0 ? `${filled}?${query}` : filled
}

/** Optional parameters of a request: few, so that some records pass all filters. */
const OPTIONAL_MAX = 3

type Fault = 'value' | 'name' | 'twice' | 'missing' | 'method' | 'media type' | 'no token' | 'token'
const FAULTS: readonly Fault[] = [
  'value',
  'value',
  'value',
  'name',
  'twice',
  'missing',
  'method',
  'media type',
  'no token',
  'token',
]
const STATUS: Readonly<Record<Fault, number>> = {
  value: 422,
  name: 422,
  twice: 422,
  missing: 422,
  method: 405,
  'media type': 406,
  'no token': 401,
  token: 401,
}

/** Requests to all operations, of which half have a fault. `token` is one for everything. */
export function requests(token: string): fc.Arbitrary<Drawn> {
  const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, get }))
  return fc.constantFrom(...operations).chain(({ path, get }) => {
    const required = get.parameters.filter(each => each.required)
    const optional = get.parameters.filter(each => !each.required)
    return fc
      .tuple(
        fc.subarray(optional, { maxLength: Math.min(OPTIONAL_MAX, optional.length) }),
        fc.option(fc.constantFrom(...FAULTS)),
      )
      .chain(([chosen, fault]) => {
        const sent = [...required, ...chosen]
        return fc
          .tuple(
            fc.tuple(...sent.map(pairs)),
            fc.nat(),
            fc.constantFrom('GET' as const, 'GET' as const, 'HEAD' as const),
          )
          .chain(([values, place, method]) => {
            const request: Drawn = {
              path,
              method,
              url: addressOf(path, get.parameters, values.flat()),
              headers: { authorization: `Bearer ${token}` },
              fault: null,
            }
            return fault === null
              ? fc.constant(request)
              : withFault(fault, request, { path, sent, values, place })
          })
      })
  })
}

interface Parts {
  readonly path: string
  readonly sent: readonly Documented[]
  readonly values: readonly (readonly Pair[])[]
  /** Chooses among what can be wrong. */
  readonly place: number
}

/** The request with a fault; the valid request if it cannot have this one. */
function withFault(fault: Fault, request: Drawn, { path, sent, values, place }: Parts): fc.Arbitrary<Drawn> {
  const { headers } = request
  const { parameters } = operationAt(path)
  const faulty = { what: fault, status: STATUS[fault] }
  const at = (list: readonly Pair[]) => addressOf(path, parameters, list)
  const chosen = sent[place % Math.max(1, sent.length)]
  const name = chosen?.name
  const others = values.flat().filter(([each]) => each !== name)
  switch (fault) {
    case 'value':
      return chosen === undefined
        ? fc.constant(request)
        : invalid(single(chosen))
            .filter(isSent(chosen))
            .map(text => ({
              ...request,
              url: at([...others, [chosen.name, text]]),
              fault: faulty,
            }))
    case 'name':
      return fc.constant({
        ...request,
        url: at([...values.flat(), ['no_such_parameter', '1']]),
        fault: faulty,
      })
    case 'twice': {
      const [scalar] = sent.filter(each => each.in === 'query' && each.schema.type !== 'array')
      const again = values.flat().find(([each]) => each === scalar?.name)
      return fc.constant(again ? { ...request, url: at([...values.flat(), again]), fault: faulty } : request)
    }
    case 'missing': {
      const needed = sent.find(each => each.required && each.in === 'query')
      const rest = values.flat().filter(([each]) => each !== needed?.name)
      return fc.constant(needed ? { ...request, url: at(rest), fault: faulty } : request)
    }
    case 'method':
      return fc
        .constantFrom('POST' as const, 'PUT' as const, 'DELETE' as const)
        .map(method => ({ ...request, method, fault: faulty }))
    case 'media type':
      return fc.constant({ ...request, headers: { ...headers, accept: 'image/png' }, fault: faulty })
    case 'no token':
      return fc.constant({ ...request, headers: {}, fault: faulty })
    case 'token':
      return fc.constant({ ...request, headers: { authorization: 'Bearer not-a-uuid' }, fault: faulty })
  }
}
