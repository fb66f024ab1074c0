const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/g

/** Numbers of JSON that a double cannot hold become strings, because they would be rounded. */
export const exact = (json: string) =>
  /\d[\d.]{15}/.test(json)
    ? json.replaceAll(STRING_OR_NUMBER, found =>
        found.startsWith('"') || isHeld(found) ? found : `"${found}"`,
      )
    : json

/** Whether a double has all digits of a number. */
const isHeld = (written: string) => digitsOf(String(Number(written))) === digitsOf(written)

const digitsOf = (number: string) =>
  number
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')
