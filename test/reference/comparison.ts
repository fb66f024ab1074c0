import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '../../src/operations/answering/operation.ts'
import type { TestService } from '../fixtures/service.ts'
import type { Lake } from './lake.ts'
import type { Reader } from './readers.ts'
import { type Request, refused } from './request.ts'

/** An operation on a lake, answered by the product and by the second reader. */
export interface Subject {
  readonly operation: Operation
  readonly reader: Reader
  readonly lake: Lake
  readonly service: TestService
}

export interface Compared {
  /** The request as a URL. */
  readonly url: string
  readonly product: unknown
  readonly reference: unknown
  readonly isEqual: boolean
}

export function urlOf({ path }: Operation, request: Request): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(request.path[name] ?? ''))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(request.query))
    for (const each of [value].flat()) query.append(name, each)
  return query.size === 0 ? filled : `${filled}?${query}`
}

/** Both answers to a request. Throws if the product fails, or refuses it as not valid for another reason than its data. */
export async function compareAnswers(subject: Subject, request: Request): Promise<Compared> {
  const url = urlOf(subject.operation, request)
  const { server, token } = subject.service
  const response = await server.inject({ url, headers: { authorization: `Bearer ${token}` } })
  const { statusCode, body } = response
  if (statusCode !== 200 && statusCode !== 404 && statusCode !== 422)
    throw new Error(`${url} failed with ${statusCode}: ${body}`)
  const product: unknown = statusCode === 200 ? JSON.parse(body) : refused(statusCode)
  const reference = subject.reader.answer(subject.lake, request)
  return { url, product, reference, isEqual: isDeepStrictEqual(product, reference) }
}

/** A request without each parameter that the difference does not need. */
export async function smallest(subject: Subject, request: Request): Promise<Request> {
  for (const name of Object.keys(request.query)) {
    const { [name]: dropped, ...query } = request.query
    const smaller = { ...request, query }
    if (dropped === undefined || subject.operation.parameters[name]?.required) continue
    if (!(await compareAnswers(subject, smaller)).isEqual) return smallest(subject, smaller)
  }
  return request
}

const SHOWN = 4

/** Where two answers differ: paths within them, with both values. */
export function differencesOf(product: unknown, reference: unknown, at = ''): string[] {
  if (isDeepStrictEqual(product, reference)) return []
  if (Array.isArray(product) && Array.isArray(reference) && product.length === reference.length)
    return product
      .flatMap((item, index) => differencesOf(item, reference[index], `${at}[${index}]`))
      .slice(0, SHOWN)
  if (isRecord(product) && isRecord(reference)) {
    const names = new Set([...Object.keys(product), ...Object.keys(reference)])
    return [...names]
      .flatMap(name => differencesOf(product[name], reference[name], `${at}.${name}`))
      .slice(0, SHOWN)
  }
  return [`${at}: product ${short(product)}, reference ${short(reference)}`]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const short = (value: unknown) =>
  Array.isArray(value) ? `${value.length} items` : (JSON.stringify(value) ?? 'nothing').slice(0, 300)
