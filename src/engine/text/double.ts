/**
 * The shortest text that is read as this finite number again, as the engine's JSON has it: with a decimal point or an
 * exponent, and an exponent without a plus sign.
 */
export function doubleText(value: number): string {
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  if (text.includes('e')) return text.replace('e+', 'e')
  return text.includes('.') ? text : `${text}.0`
}
