import { guess } from '../../../engine/nearest-name.ts'

/** An error of the check of a layout against its schema. */
interface ShapeError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: object
  readonly message: string
}

const depthOf = ({ keyword, instancePath }: ShapeError) =>
  2 * instancePath.split('/').length + (keyword === 'additionalProperties' ? 1 : 0)

/** Errors that only say that another one is there. */
const VAGUE = new Set(['anyOf', 'boolean'])

/**
 * The first fault of a layout, by the errors of its schema: of the alternatives of a value, the one that comes nearest.
 * `membersAt` gives the members that the object at a path may have.
 */
export function shapeFault(
  value: unknown,
  errors: readonly ShapeError[],
  membersAt: (path: readonly string[]) => readonly string[],
): string {
  const known = errors.filter(({ keyword }) => !VAGUE.has(keyword))
  const deepest = Math.max(...known.map(depthOf))
  const nearest = known.filter(error => depthOf(error) === deepest)
  const [error] = [...nearest.filter(({ keyword }) => keyword !== 'type'), ...nearest]
  if (error === undefined) return 'it is wrong'
  const path = error.instancePath.split('/').slice(1).map(unescaped)
  const place = path.join('.')
  const found = valueAt(value, path)
  const same = nearest.filter(
    ({ instancePath, keyword }) => instancePath === error.instancePath && keyword === error.keyword,
  )
  const values = (name: string) =>
    same
      .flatMap(({ params }) => Object.entries(params).flatMap(([key, each]) => (key === name ? [each] : [])))
      .flat()
      .map(String)
  const subject = place === '' ? 'it' : place
  switch (error.keyword) {
    case 'additionalProperties': {
      const [name = ''] = values('additionalProperties')
      const members = membersAt(path)
      return `${subject} has the unknown member ${JSON.stringify(name)}${guess(name, members, JSON.stringify) || '.'} Its members are ${members.join(', ')}`
    }
    case 'required':
      return `${subject} lacks ${values('requiredProperties')
        .map(name => JSON.stringify(name))
        .join(' and ')}`
    case 'const':
      return `${place} is ${shown(found)}, but must be one of ${values('allowedValue').join(', ')}`
    case 'type':
      return `${subject} is ${shown(found)}, but must be ${[...new Set(values('type'))].map(withArticle).join(' or ')}`
    case 'format':
      return `${place} is not a regular expression: ${shown(found)}${reasonOf(found)}`
    default:
      return `${place} is ${shown(found)}, but ${error.message}`
  }
}

const unescaped = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')

const withArticle = (type: string) => `${/^(array|integer|object)/.test(type) ? 'an' : 'a'} ${type}`

const SHOWN = 60

const shown = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

/** What the engine of regular expressions says of a pattern. */
function reasonOf(pattern: unknown): string {
  try {
    new RegExp(String(pattern))
    return ''
  } catch (thrown) {
    return thrown instanceof Error ? ` (${thrown.message.replace(/^.*: /, '')})` : ''
  }
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (each, step) => (typeof each === 'object' && each !== null ? Reflect.get(each, step) : undefined),
    value,
  )
