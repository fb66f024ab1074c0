import { type Bindings, integer } from '../../engine/bind.ts'
import { type Page, type PageEnd, rowsOfTemplate } from '../../engine/encode/page.ts'
import { isoOfMicros } from '../../market/iso-time.ts'
import { OFFSET_MAX, offsetOf } from '../parameters/number.ts'
import { POSITION_MAX } from '../parameters/time.ts'
import type { Operation, Plan, TimePages } from './operation.ts'

export type { PageEnd } from '../../engine/encode/page.ts'

/**
 * How an answer that ends at `limit` continues in another request: with the next `page`, or with `older_than` where the
 * plan pages by time.
 */

/** A planned request. */
interface Planned {
  readonly operation: Operation
  readonly values: Readonly<Record<string, unknown>>
  readonly plan: Plan
}

/** The page that a request asks for; null if its operation has no pages. */
export function pageOf({ operation, values, plan }: Planned): Page | null {
  const { limit } = values
  if (typeof limit !== 'number') return null
  if (plan.timePages) return { rows: limit, time: plan.timePages.column, after: plan.timePages.after }
  return operation.parameters.page === undefined ? null : { rows: limit, time: null, after: null }
}

/** The values that a template and the SQL of its page take for a page. */
export const bindingsOfPage = (page: Page): Bindings => ({
  limit: integer(rowsOfTemplate(page)),
  page_rows: integer(page.rows),
  page_after: integer(page.after?.time ?? null),
  page_passed: integer(page.after?.passed ?? null),
})

/** Parameters of a request by name. */
export type Changes = Readonly<Record<string, string>>

/** What the request for the next page changes in the parameters of this one; null if no request can name it. */
export function nextPage({ operation, values, plan }: Planned, end: PageEnd): Changes | null {
  const { limit, page } = values
  if (typeof limit !== 'number') return null
  if (plan.timePages) return olderPage(plan.timePages, end, limit)
  if (typeof page !== 'number') return null
  const next = { ...values, page: page + 1 }
  return offsetOf(operation, next) > OFFSET_MAX ? null : { page: String(next.page) }
}

function olderPage({ after, since }: TimePages, end: PageEnd, limit: number): Changes | null {
  const before = after?.time === end.time ? after.passed : 0
  const passed = end.dividesTime ? before + limit : 0
  if (passed > POSITION_MAX) return null
  return {
    older_than: `${isoOfMicros(end.time)}${passed > 0 ? `/${passed}` : ''}`,
    ...(since == null ? {} : { newer_than: isoOfMicros(since) }),
  }
}
