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

/** Writes the values of columns at an index as a JSON object. */
export function objectWriter(names: readonly string[], columns: readonly Values[]): Write {
  const entries = columns.map((column, index) => ({
    key: utf8(`${index === 0 ? '' : ','}${JSON.stringify(names[index])}:`),
    write: valueWriter(column),
  }))
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
