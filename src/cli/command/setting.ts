interface Described {
  readonly help: string
  readonly unit?: string
  /** What applies if a setting without a default value is not set. */
  readonly defaultMeaning?: string
}

export type Setting = Described &
  (
    | { readonly kind: 'text'; readonly default: string | null }
    | { readonly kind: 'choice'; readonly default: string; readonly values: readonly string[] }
    | { readonly kind: 'integer'; readonly default: number; readonly min: number; readonly max: number }
    | { readonly kind: 'flag'; readonly default: false }
  )

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** `adminPort` → `admin-port`, without the leading dashes. */
export const flagOf = kebab
/** `adminPort` → `TAPEHOUSE_ADMIN_PORT`. */
export const variableOf = (name: string) => `TAPEHOUSE_${kebab(name).replaceAll('-', '_').toUpperCase()}`

/** The default of a setting in words, with its unit; null if it has none. */
export const defaultOf = ({ default: value, unit, defaultMeaning }: Setting): string | null =>
  value === null ? (defaultMeaning ?? null) : `${value}${unit ? ` ${unit}` : ''}`

/** Parses the text of a setting. Returns its value, or what is wrong with the text. */
export function readSetting(
  setting: Setting,
  text: string,
): { value: string | number | boolean } | { problem: string } {
  switch (setting.kind) {
    case 'text':
      return text === '' ? { problem: 'must not be empty' } : { value: text }
    case 'flag':
      return /^(true|1)$/i.test(text)
        ? { value: true }
        : /^(false|0)$/i.test(text)
          ? { value: false }
          : { problem: 'must be true or false' }
    case 'choice':
      return setting.values.includes(text)
        ? { value: text }
        : { problem: `must be one of ${setting.values.join(', ')}` }
    case 'integer': {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      return value >= setting.min && value <= setting.max
        ? { value }
        : { problem: `must be a whole number from ${setting.min} to ${setting.max}` }
    }
  }
}
