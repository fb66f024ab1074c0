import type { Bindings } from '../../engine/bind.ts'
import type { Parameters } from '../parameters/parameter.ts'

/** What validation looks up about the parameters of an operation, made once for each operation. */

/** The parameters by the names that a client can send. */
interface Names {
  readonly inPath: readonly string[]
  /** Parameters of the query by their own name. */
  readonly inQuery: ReadonlySet<string>
  /** Repeatable parameters by their base name. */
  readonly repeatable: ReadonlyMap<string, string>
}

/** `name[]` and `name[0]` mean `name` if it is repeatable. */
const baseName = (name: string) => name.replace(/\[\d{0,9}\]$/, '')

export const namesOf = onceFor((parameters): Names => {
  const all = Object.entries(parameters)
  const inQuery = all.filter(([, parameter]) => parameter.in === 'query')
  return {
    inPath: all.filter(([, parameter]) => parameter.in === 'path').map(([name]) => name),
    inQuery: new Set(inQuery.map(([name]) => name)),
    repeatable: new Map(
      inQuery.filter(([, { repeatable }]) => repeatable).map(([name]) => [baseName(name), name]),
    ),
  }
})

/** The parameter that a name in a query means; null if it means none. */
export function parameterNamed(parameters: Parameters, sent: string): string | null {
  const { inQuery, repeatable } = namesOf(parameters)
  return inQuery.has(sent) ? sent : (repeatable.get(baseName(sent)) ?? null)
}

/** The values of the parameters that are not sent, and the names of those that have to be. */
export const defaultsOf = onceFor(parameters => {
  const all = Object.entries(parameters)
  return {
    defaults: Object.fromEntries(
      all.filter(([, { required }]) => !required).map(([name, { absent }]) => [name, absent]),
    ),
    required: all.filter(([, { required }]) => required).map(([name]) => name),
  }
})

/** How the parameters of an operation become parameters of its template, `name[]` as `$name`. */
export const bindersOf = onceFor(parameters =>
  Object.entries(parameters).flatMap(([name, { bind, absent, required }]) =>
    bind === null
      ? []
      : [{ name, variable: name.replace('[]', ''), bind, absent: required ? NO_VALUE : absent }],
  ),
)

/** What the default of a required parameter is: no value is equal to it. */
const NO_VALUE = Symbol('no value')

/** The bindings of the parameters that are not sent. */
export const boundDefaults = onceFor(
  (parameters): Bindings =>
    Object.fromEntries(
      bindersOf(parameters)
        .filter(({ absent }) => absent !== NO_VALUE)
        .map(({ variable, bind, absent }) => [variable, bind(absent)]),
    ),
)

/** Keeps what `make` returns for the parameters of each operation, which are constants of the program. */
export function onceFor<T>(make: (parameters: Parameters) => T): (parameters: Parameters) => T {
  const made = new WeakMap<Parameters, { readonly value: T }>()
  return parameters => {
    const known = made.get(parameters) ?? { value: make(parameters) }
    made.set(parameters, known)
    return known.value
  }
}
