import type { TSchema } from 'typebox'
import type { Bound } from '../../engine/bind.ts'

/** What became of a client's text: a value, or what is wrong with it, as the end of a sentence that starts with its name. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string }

/** One path or query parameter: how it looks to a client, and how its text becomes a value. */
export interface Parameter<T = unknown> {
  readonly in: 'path' | 'query'
  readonly required: boolean
  /** Whether it may be given several times, as `name`, `name[]` or `name[0]`. */
  readonly repeatable: boolean
  readonly description: string
  /** What OpenAPI says of it. */
  readonly schema: TSchema
  /** A valid text, shown in every 422 that names this parameter. */
  readonly example: string
  /** Turns the texts given, none of which is empty, into a value: one, or several if it is repeatable. */
  readonly parse: (texts: readonly string[]) => Parsed<T>
  /** The value when the client gives none; `null` where that leaves it out. */
  readonly absent: T
  /** The template's parameter of the same name; null where the operation binds by itself. */
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
