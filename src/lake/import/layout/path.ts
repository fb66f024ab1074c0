/** Paths in a JSON document, such as `chart.result[0].meta`, `$["Meta Data"]["2. Symbol"]`, `bars.*`. */

type Step = string | number | '*'

const STEP = /\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\[?(\*)\]?|([^.[\]"]+)|\./y

/** The steps of a path; null if it is not one. */
export function stepsOf(path: string): readonly Step[] | null {
  const steps: Step[] = []
  STEP.lastIndex = path.startsWith('$') ? 1 : 0
  while (STEP.lastIndex < path.length) {
    const found = STEP.exec(path)
    if (found === null) return null
    const [, index, quoted, any, name] = found
    if (index !== undefined) steps.push(Number(index))
    else if (quoted !== undefined) steps.push(quoted.replace(/\\(.)/g, '$1'))
    else if (any !== undefined) steps.push('*')
    else if (name !== undefined) steps.push(name)
  }
  return steps
}

/** A value of a document, and the name and the value of the last member that `*` stands for. */
export interface Found {
  readonly value: unknown
  readonly key: string | null
  readonly member: unknown
}

/** The values at a path: several if it has `*`, none if the document lacks it. */
export function valuesAt(document: unknown, path: string): readonly Found[] {
  let found: readonly Found[] = [{ value: document, key: null, member: null }]
  for (const step of stepsOf(path) ?? []) found = found.flatMap(each => after(each, step))
  return found
}

function after({ value, key, member }: Found, step: Step): readonly Found[] {
  if (typeof value !== 'object' || value === null) return []
  if (step === '*')
    return Object.entries(value).map(([name, each]) => ({ value: each, key: name, member: each }))
  return Object.hasOwn(value, step) ? [{ value: Reflect.get(value, step), key, member }] : []
}

/** The only value at a path as text: null if there is none, JSON for an object or array. */
export function textAt(document: unknown, path: string): string | null {
  const [found] = valuesAt(document, path)
  return found === undefined ? null : textOf(found.value)
}

/** A value of JSON as the text of a field. */
export const textOf = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
