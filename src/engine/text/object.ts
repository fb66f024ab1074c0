import { utf8 } from './json-string.ts'
import { type Wire, writeAll, writeByte } from './wire.ts'

/** Values of which some are null. `json` writes one that is not, and returns false if it cannot. */
interface Values {
  readonly isNull: (index: number) => boolean
  readonly json: (wire: Wire, index: number) => boolean
}

type Write = Values['json']

const NULL = utf8('null')
const [BRACE, CLOSING_BRACE] = [0x7b, 0x7d]

/** Writes a value as JSON, null too. */
export const valueWriter =
  ({ isNull, json }: Values): Write =>
  (wire, index) => {
    if (!isNull(index)) return json(wire, index)
    writeAll(wire, NULL)
    return true
  }

const keys = new WeakMap<readonly string[], readonly Uint8Array[]>()

/** The names as keys of an object, each with the comma before and the colon after it. */
function keysOf(names: readonly string[]): readonly Uint8Array[] {
  const known = keys.get(names)
  if (known) return known
  const made = names.map((name, index) => utf8(`${index === 0 ? '' : ','}${JSON.stringify(name)}:`))
  keys.set(names, made)
  return made
}

/** Writes the values of columns at an index as a JSON object. The keys are kept for as long as there are the names. */
export function objectWriter(names: readonly string[], columns: readonly Values[]): Write {
  const entries = keysOf(names).map((key, index) => ({ key, write: valueWriter(columns[index] as Values) }))
  return (wire, index) => {
    writeByte(wire, BRACE)
    for (const { key, write } of entries) {
      writeAll(wire, key)
      if (!write(wire, index)) return false
    }
    writeByte(wire, CLOSING_BRACE)
    return true
  }
}
