import { SaxesParser } from 'saxes'

const DEPTH_MAX = 64
const ELEMENTS_MAX = 5_000_000
const REASON_LENGTH_MAX = 160

/** An open element: its children so far, and its text, which may be before, between and after them. */
interface Open {
  readonly name: string
  readonly attributes: readonly (readonly [string, string])[]
  children: Record<string, unknown> | undefined
  text: string
}

// Without a prototype, so that an element may have the name `constructor` or `__proto__`.
const noChildren = (): Record<string, unknown> => Object.create(null)

/**
 * Converts an XML document to `{ [root]: value }`. The value of an element is its trimmed text, or an object of its
 * children by name, or an array of these if siblings share the name. Elements named in `repeated` are always arrays,
 * even of one. Attributes are members `@name` of an element that is not text; others and prefixes are dropped. An empty
 * element without attributes is ''. Text next to children, which SEC forms do not have, is kept under `#text`.
 *
 * The text is already decoded, so the encoding in the declaration is ignored. A byte order mark and blank lines may
 * precede the declaration. `firstLine` is the number of the text's first line in its file.
 *
 * The document is untrusted. A DOCTYPE is rejected, and with it custom entities, which could expand without bound or
 * name other files. Depth and number of elements are bounded. The caller bounds the length of the text. Throws an Error
 * with a reason of one line, such as `line 3: unclosed tag: value`.
 */
export function readXml(
  text: string,
  repeated: ReadonlySet<string>,
  { firstLine = 1, elementsMax = ELEMENTS_MAX }: { firstLine?: number; elementsMax?: number } = {},
): unknown {
  const start = text.search(/[^\s\uFEFF]/)
  if (start === -1) throw new Error(`line ${firstLine}: no XML document`)
  const linesAbove = firstLine - 1 + lineBreaks(text, 0, start)

  const parser = new SaxesParser({ xmlns: true, position: false })
  const document: Open = { name: '', attributes: [], children: undefined, text: '' }
  const open: Open[] = [document]
  let elements = 0

  parser.on('error', error => {
    const reason = error.message.replaceAll(/\s+/g, ' ').replace(/\.$/, '').slice(0, REASON_LENGTH_MAX)
    throw new Error(`line ${linesAbove + parser.line}: ${reason}`)
  })
  parser.on('doctype', () => parser.fail('a DOCTYPE is not allowed'))
  parser.on('opentag', ({ local, attributes }) => {
    elements += 1
    if (elements > elementsMax) parser.fail(`more than ${elementsMax} elements`)
    if (open.length > DEPTH_MAX) parser.fail(`more than ${DEPTH_MAX} nested elements`)
    const own = Object.values(attributes)
      .filter(({ prefix, name }) => prefix === '' && name !== 'xmlns')
      .map(each => [each.local, each.value] as const)
    open.push({ name: local, attributes: own, children: undefined, text: '' })
  })
  const addText = (piece: string) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += piece
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const element = open.pop()
    const parent = open.at(-1)
    if (element === undefined || parent === undefined) return
    parent.children ??= noChildren()
    addChild(parent.children, element.name, valueIn(element), repeated)
  })

  parser.write(start === 0 ? text : text.slice(start)).close()
  return document.children
}

function valueIn({ attributes, children: elements, text }: Open): unknown {
  const trimmed = text.trim()
  if (elements === undefined && (trimmed !== '' || attributes.length === 0)) return trimmed
  const children = elements ?? noChildren()
  for (const [name, value] of attributes) children[`@${name}`] = value
  if (trimmed !== '') children['#text'] = trimmed
  return children
}

function addChild(
  children: Record<string, unknown>,
  name: string,
  value: unknown,
  repeated: ReadonlySet<string>,
) {
  const held = children[name]
  if (Array.isArray(held)) held.push(value)
  else if (held !== undefined) children[name] = [held, value]
  else children[name] = repeated.has(name) ? [value] : value
}

/** The number of line ends (LF, CR or CRLF) in the text from `from` to `to`, exclusive. */
export function lineBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) count += 1
  }
  return count
}
