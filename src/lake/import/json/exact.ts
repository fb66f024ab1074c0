// An escape, a quote or a long number. A pattern of whole strings would fail for one of some megabytes.
const PIECE = /\\.|"|-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/gs

/** Numbers of JSON that a double cannot hold become strings, because they would be rounded. */
export function exact(json: string): string {
  if (!/\d[\d.]{15}/.test(json)) return json
  let isInString = false
  return json.replaceAll(PIECE, found => {
    if (found === '"') isInString = !isInString
    return isInString || /^["\\]/.test(found) || isHeld(found) ? found : `"${found}"`
  })
}

/** Whether a double has all digits of a number. */
const isHeld = (written: string) => digitsOf(String(Number(written))) === digitsOf(written)

const digitsOf = (number: string) =>
  number
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')
