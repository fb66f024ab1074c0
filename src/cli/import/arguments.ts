import { closest } from 'fastest-levenshtein'
import { importable } from '../../lake/import/format/canonical.ts'
import { CANONICAL_KINDS, isCanonicalKind } from '../../lake/import/format/format.ts'
import { listFormats } from '../../lake/import/format/formats.ts'
import { dayOf, isValidDate } from '../../market/day.ts'
import { usage } from '../command/arguments.ts'

const IMPORT = { name: 'import' } as const

/** Every foreign format. */
export const foreign = listFormats()
export const names = foreign.map(({ name }) => name)
/** The foreign format that the arguments specify, if any: in `csv posts`, posts is a dataset. */
export function formatIn(argv: readonly string[]) {
  const specified = argv.find(argument => isCanonicalKind(argument) || names.includes(argument))
  return foreign.find(({ name }) => name === specified)
}

/** The date of --close. A day in the future cannot be complete, and would leave the default date without a check. */
export function closingDate(text: string | undefined): string | null {
  if (text === undefined) return null
  const shown = JSON.stringify(text)
  if (!isValidDate(text)) throw usage(IMPORT, `--close must be a date such as 2024-01-18, not ${shown}`)
  if (text > dayOf(Date.now()))
    throw usage(IMPORT, `--close must be a date that is not in the future, not ${shown}`)
  return text
}

/** The format and the files that the arguments specify. */
export function readFormat([name, ...rest]: readonly string[]): {
  format: string
  inputs: readonly string[]
} {
  if (name === undefined)
    throw usage(
      IMPORT,
      `no format: specify one of ${names.join(', ')} and the files, or one of ${CANONICAL_KINDS.join(', ')}, a dataset and the files`,
    )
  if (!isCanonicalKind(name)) {
    if (!names.includes(name))
      throw usage(
        IMPORT,
        `unknown format ${JSON.stringify(name)}: did you mean ${closest(name, [...names, ...CANONICAL_KINDS])}?`,
      )
    return { format: name, inputs: rest }
  }
  const [dataset, ...inputs] = rest
  if (dataset === undefined) throw usage(IMPORT, `no dataset: specify one of ${importable().join(', ')}`)
  return { format: `${name}-${dataset}`, inputs }
}
