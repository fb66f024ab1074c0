import type { TSchema } from 'typebox'
import type { Bindings } from '../../engine/bind.ts'
import type { DigitsShown } from '../../engine/encode/sql.ts'
import type { Engine, Query } from '../../engine/engine.ts'
import type { Failure } from '../../engine/failure.ts'
import type { Template } from '../../engine/template.ts'
import type { Selection, Snapshot } from '../../lake/store/snapshot.ts'
import { datasetsOf } from '../fields/notation.ts'
import { RECORD_FIELDS } from '../fields/record-fields.ts'
import { digitsShown, responseSchema } from '../fields/response.ts'
import type { Order } from '../parameters/order.ts'
import type { Fault, Parameters, Values } from '../parameters/parameter.ts'

/** Who asks, where an answer depends on it. */
export interface Caller {
  /** Whose own records the caller sees besides those of everybody. */
  readonly owner: string | null
  /** Sees the records of all owners. */
  readonly admin: boolean
}

/** What one request asks of one snapshot, worked out before any query runs. */
export interface Plan {
  /** Which part of each dataset the template reads; null where it needs none of its rows. Left out: all of it. */
  readonly reads: Readonly<Record<string, Selection | null>>
  /** Values of the template's parameters beyond those that parameters of the request bind by themselves. */
  readonly bindings?: Bindings
  /** What rows are sorted by, where the client chooses. */
  readonly order?: Order
  /** JSON text around the rows; `{"data":[` and `]}` when left out. */
  readonly envelope?: readonly [head: string, tail: string]
  /** What else the answer depends on, so that two requests with equal plans have equal answers. */
  readonly resolved?: unknown
}

/** An answer that SQL alone cannot give its final form: the JSON text, or a query whose rows say the same. */
export interface Shaped {
  readonly json: () => Uint8Array | Promise<Uint8Array>
  readonly rows: () => Query
}

/**
 * How an answer that may be larger than memory is given a page at a time. Its order is total. The template takes
 * `$limit`, and places that a page begins after and ends at; each place is some columns of a row, which are never null.
 */
export interface Pages {
  /** Rows of a page, which are in memory at once. */
  readonly size: number
  /** Parameters for the last row before the page, each with its column. The page begins strictly after it. */
  readonly after: Readonly<Record<string, string>>
  /** Parameters for the page's last row. Rows beyond it may be left out, so that no page reads what others give. */
  readonly until: Readonly<Record<string, string>>
}

/** Runs another template of the operation, over the same files and with the same parameters. */
export type Ask = (template: Template) => Promise<import('apache-arrow').Table>

/** What an operation's file says. */
export interface Definition<P extends Parameters> {
  /** Also the name of its template in `sql/endpoints`, and of its entry in RECORD_FIELDS. */
  readonly id: string
  /** The method is always GET. Path parameters in braces, as OpenAPI writes them. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: P
  /** The whole JSON answer, where the table of fields cannot tell it. */
  readonly response?: TSchema
  /** Faults that lie between parameters, each of which is right by itself. */
  readonly check?: (values: Values<P>) => readonly Fault[]
  readonly plan: (values: Values<P>, snapshot: Snapshot, caller: Caller) => Plan
  /** Replaces values that only data can tell, such as a name by an id. Throws InvalidRequest where they cannot. */
  readonly settle?: (values: Values<P>, ask: Ask) => Promise<Values<P>>
  /** The answer is one object, `{"data": {…}}`: the template's one row. What to throw when there is none. */
  readonly missing?: (values: Values<P>) => Failure
  /** For answers of rows without an end: `limit`, a parameter that may be null, counts rows over all pages. */
  readonly pages?: Pages
  /** For answers that are more than rows: runs the template itself and computes. */
  readonly shape?: (values: Values<P>, query: Query, engine: Engine, signal: AbortSignal) => Promise<Shaped>
}

/** An operation of the API, as data: its route, validation, documentation and command all come from this. */
export interface Operation<P extends Parameters = Parameters> extends Definition<P> {
  readonly response: TSchema
  /** The datasets that its templates read, each a parameter of theirs. */
  readonly datasets: readonly string[]
  readonly digits: DigitsShown
}

/**
 * An operation with what the table of fields knows of it: its response and the datasets that it reads. Keeps the
 * parameters' types inside and forgets them outside, where all operations are alike. Throws if the table lacks it.
 */
export function operation<P extends Parameters>(definition: Definition<P>): Operation {
  const fields = RECORD_FIELDS.find(({ id }) => id === definition.id)
  if (fields === undefined) throw new Error(`the table of fields has no operation ${definition.id}`)
  return {
    response: responseSchema(fields),
    ...definition,
    datasets: datasetsOf(fields),
    digits: digitsShown(fields),
  } as unknown as Operation
}
