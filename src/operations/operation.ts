import type { TSchema } from 'typebox'
import type { Bindings } from '../engine/bind.ts'
import type { Engine, Query } from '../engine/engine.ts'
import type { Selection, Snapshot } from '../lake/snapshot.ts'
import type { Fault, Parameters, Values } from './parameter.ts'

/** What one request asks of one snapshot, worked out before any query runs. */
export interface Plan {
  /** Values of the template's parameters; datasets' file lists are added by name. */
  readonly bindings: Bindings
  /** Which part of each dataset the template reads; null where it needs none of its rows. */
  readonly reads: Readonly<Record<string, Selection | null>>
  /** The resolved parameters in a canonical form: two requests with equal ones have equal answers. */
  readonly resolved: unknown
}

/** An answer that SQL alone cannot give its final form: the JSON text, or a query whose rows say the same. */
export interface Shaped {
  readonly json: () => Uint8Array
  readonly rows: () => Query
}

/** An operation of the API, as data: its route, validation, documentation and command all come from this. */
export interface Operation<P extends Parameters = Parameters> {
  readonly id: string
  /** The method is always GET. Path parameters in braces, as OpenAPI writes them. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: P
  /** Name of the SQL file in `sql/endpoints`. */
  readonly template: string
  /** The datasets that the template reads, each a parameter of it. */
  readonly datasets: readonly string[]
  /** The whole JSON answer. */
  readonly response: TSchema
  /** Faults that lie between parameters, each of which is right by itself. */
  readonly check?: (values: Values<P>) => readonly Fault[]
  readonly plan: (values: Values<P>, snapshot: Snapshot) => Plan
  /** For answers that are more than rows: runs the template itself and computes. */
  readonly shape?: (values: Values<P>, query: Query, engine: Engine, signal: AbortSignal) => Promise<Shaped>
}

/** Keeps the parameters' types inside an operation and forgets them outside, where all operations are alike. */
export function operation<P extends Parameters>(definition: Operation<P>): Operation {
  return definition as unknown as Operation
}
