import { isCanonicalKind } from '../../lake/import/format/format.ts'
import { listFormats } from '../../lake/import/format/formats.ts'
import { layoutOptions, layoutsOf } from '../../lake/import/layout/layouts.ts'
import { dayOf, isValidDate } from '../../market/day.ts'
import { usage } from '../command/arguments.ts'

const IMPORT = { name: 'import' } as const

/** Every foreign format. */
export const foreign = listFormats()
export const names = foreign.map(({ name }) => name)
/** The foreign format that the arguments specify, if any: in `csv posts`, posts is a dataset. */
export function formatIn(argv: readonly string[]) {
  const specified = argv.find(argument => isCanonicalKind(argument) || names.includes(formatOf(argument)))
  return specified === undefined ? undefined : foreign.find(({ name }) => name === formatOf(specified))
}

/** The format of `daily-bars/nasdaq`. */
const formatOf = (argument: string) => argument.split('/', 1)[0] ?? ''

/** The flags of the format that the arguments specify, or of all formats, and of their layouts. */
export function formatFlags(argv: readonly string[]): readonly { name: string; meaning: string }[] {
  const format = formatIn(argv)
  const formats = format === undefined ? foreign : [format]
  const flags = formats.flatMap(({ name, options }) => [...options, ...layoutOptions(layoutsOf(name))])
  return [...new Map(flags.map(each => [each.name, each])).values()]
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

/** The values of flags that occur, by name. */
export const flagValues = (flags: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, [value]]) => (value === undefined ? [] : [[name, value]])),
  )
