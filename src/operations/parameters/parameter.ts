import type { TSchema } from 'typebox'
import type { Bound } from '../../engine/bind.ts'
import type { Parsed } from './problem.ts'

/** One path or query parameter: its documentation, and how its text becomes a value. */
export interface Parameter<T = unknown> {
  readonly in: 'path' | 'query'
  readonly required: boolean
  /** Whether it can be sent several times, as `name`, `name[]` or `name[0]`. */
  readonly repeatable: boolean
  readonly description: string
  /** Its schema in OpenAPI. */
  readonly schema: TSchema
  /** A valid text, for every 422 that names this parameter. */
  readonly example: string
  /** Parses the texts that were sent, none of which is empty: one, or several if it is repeatable. */
  readonly parse: (texts: readonly string[]) => Parsed<T>
  /** The default; null if there is none. */
  readonly absent: T
  /** The value of the template's parameter of the same name; null if the operation binds it itself. */
  readonly bind: Binder<T>['bind'] | null
}

/** A method, whose argument TypeScript compares both ways: so parameters of all types fit into one record. */
interface Binder<T> {
  bind(value: T): Bound
}

/** Parameters of any types by name; `Values` restores the types. */
export type Parameters = Readonly<Record<string, Parameter>>

/** The values of an operation's parameters, by name. */
export type Values<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never
}

/** What is wrong with one input. */
export interface Fault {
  readonly in: 'path' | 'query'
  readonly name: string
  readonly problem: string
  readonly example: string
}
