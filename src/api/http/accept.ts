/** An element of a header such as `Accept`: a name, its parameters and its weight, all names in lower case. */
interface Listed {
  readonly name: string
  readonly parameters: ReadonlyMap<string, string>
  readonly weight: number
}

// A comma or a semicolon within a quoted string separates nothing. An unclosed quote extends to the end.
const ELEMENTS = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g
const SECTIONS = /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g

/** The elements of a header. `q` is the weight wherever it is (RFC 9110, 12.4.2); one that is not a number counts as 1. */
function listed(header: string): Listed[] {
  return (header.match(ELEMENTS) ?? []).flatMap(element => {
    const [name = '', ...sections] = (element.match(SECTIONS) ?? []).map(text => text.trim())
    const parameters = new Map(sections.filter(text => text !== '').map(parameterOf))
    const q = parameters.get('q') ?? '1'
    parameters.delete('q')
    const weight = /^(?:\d+\.?\d*|\.\d+)$/.test(q) ? Math.min(Number(q), 1) : 1
    return name === '' ? [] : [{ name: name.toLowerCase(), parameters, weight }]
  })
}

/** Values are compared without case: those of our media types have none. */
function parameterOf(text: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? []
  const unquoted = value
    .trim()
    .replace(/^"(.*?)"?$/s, (_, inner: string) => inner.replaceAll(/\\(.)/gs, '$1'))
  return [name.trim().toLowerCase(), unquoted.toLowerCase()]
}

const EVERYTHING = 0
const TYPE = 10
const SUBTYPE_OF_OTHER_PARAMETERS = 20
const SUBTYPE = 30

/**
 * How specifically a media range names a content type; null if it does not (RFC 9110, 12.5.1). A range with a parameter of
 * the content type must have its value, and is the more specific for it. A parameter that the content type lacks, such as
 * `profile`, excludes nothing: the range counts less than one without it, but more than a wildcard.
 */
function specificity({ name, parameters, weight }: Listed, contentType: Listed): number | null {
  const [type, subtype] = name.split('/')
  const [ownType] = contentType.name.split('/')
  if (name !== contentType.name && name !== '*/*' && !(type === ownType && subtype === '*')) return null
  let equal = 0
  let foreign = 0
  for (const [each, value] of parameters) {
    const own = contentType.parameters.get(each)
    if (own === undefined) foreign += 1
    else if (own === value) equal += 1
    else return null
  }
  if (foreign > 0 && weight === 0) return null
  const place =
    type === '*' ? EVERYTHING : subtype === '*' ? TYPE : foreign > 0 ? SUBTYPE_OF_OTHER_PARAMETERS : SUBTYPE
  return place + equal
}

/** The content types of responses, parsed once. They are constants of the program. */
const parsed = new Map<string, Listed>()

function parsedType(contentType: string): Listed {
  const known = parsed.get(contentType)
  if (known !== undefined) return known
  const [own] = listed(contentType)
  if (own === undefined) throw new Error(`"${contentType}" is no content type`)
  parsed.set(contentType, own)
  return own
}

/**
 * The content type that an `Accept` header prefers: by weight, then by how specifically it is named, then by the order of the
 * header, then by the order here. The first one without a header; null if it accepts none.
 */
export function preferredType<T extends string>(
  header: string | undefined,
  contentTypes: readonly T[],
): T | null {
  if (header === undefined || header.trim() === '') return contentTypes[0] ?? null
  const ranges = listed(header)
  const ranked = contentTypes.flatMap((contentType, index) => {
    const own = parsedType(contentType)
    const matches = ranges.flatMap((range, order) => {
      const specific = specificity(range, own)
      return specific === null ? [] : [{ contentType, specific, weight: range.weight, order, index }]
    })
    // The most specific range decides, whatever its weight.
    const [decisive] = matches.toSorted((a, b) => b.specific - a.specific || b.weight - a.weight)
    return decisive === undefined || decisive.weight === 0 ? [] : [decisive]
  })
  const [best] = ranked.toSorted(
    (a, b) => b.weight - a.weight || b.specific - a.specific || a.order - b.order || a.index - b.index,
  )
  return best?.contentType ?? null
}

/** Below any weight that a header can state with three decimals. */
const LEAST = 0.0001

/** The weight of a coding in an `Accept-Encoding` header; `identity` needs no mention (RFC 9110, 12.5.3). */
export function weightsOf(header: string | undefined): (coding: string) => number {
  const codings = new Map(
    listed(header ?? '')
      .toReversed()
      .map(({ name, weight }) => [name.replace(/^x-/, ''), weight]),
  )
  return coding => codings.get(coding) ?? codings.get('*') ?? (coding === 'identity' ? LEAST : 0)
}
