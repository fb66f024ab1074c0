import { SaxesParser } from 'saxes'
import { zipMembers } from '../input/zip.ts'

/** Unpacked bytes of one part of a workbook, and how many times its file they may be. */
const PART_BYTES_MAX = 2 ** 32
const RATIO_MAX = 250
const RATIO_FROM_BYTES = 64 << 20

/** Receives the elements of a part. Names are without prefix, of attributes as well. */
export interface PartHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
  /** Called after each piece. */
  after?(): Promise<void>
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Parses one part of a workbook, an XML document in its zip archive, piece by piece. Returns whether the workbook has it.
 * Throws an Error with a reason if it is damaged or too large.
 */
export async function readPart(
  workbook: { readonly path: string; readonly bytes: number },
  name: string,
  handler: PartHandler,
): Promise<boolean> {
  for await (const member of zipMembers(workbook.path)) {
    if (member.name.toLowerCase() !== name.toLowerCase()) continue
    if (member.fault !== undefined) throw new Error(`its part ${name} ${member.fault}`)
    const parser = parserOf(name, handler)
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let bytes = 0
    for await (const chunk of member.bytes()) {
      bytes += chunk.length
      if (bytes > PART_BYTES_MAX || (bytes > RATIO_FROM_BYTES && bytes > workbook.bytes * RATIO_MAX))
        throw new Error(`its part ${name} is too large: save the sheet as .csv`)
      parser.write(decoder.decode(chunk, { stream: true }))
      await handler.after?.()
    }
    parser.close()
    return true
  }
  return false
}

function parserOf(name: string, { open, text, close }: PartHandler): SaxesParser {
  const parser = new SaxesParser({ position: false })
  parser.on('error', ({ message }) => {
    throw new Error(`its part ${name} is not XML: ${message}`)
  })
  // Custom entities could expand without bound.
  parser.on('doctype', () => parser.fail('a DOCTYPE is not allowed'))
  parser.on('opentag', tag =>
    open?.(
      localName(tag.name),
      Object.fromEntries(Object.entries(tag.attributes).map(([key, value]) => [localName(key), value])),
    ),
  )
  parser.on('text', piece => text?.(piece))
  parser.on('cdata', piece => text?.(piece))
  parser.on('closetag', tag => close?.(localName(tag.name)))
  return parser
}
