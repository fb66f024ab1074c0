import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { Failure } from '../../../engine/failure.ts'
import { shapeFault } from './faults.ts'
import { type KINDS_OF_FILES, LAYOUT, membersAt } from './schema.ts'

type LayoutText = Static<typeof LAYOUT>

/** A rule with an origin and conversions. */
export interface ColumnRule {
  readonly from?: string | readonly string[]
  readonly join?: readonly string[]
  readonly value?: string
  readonly option?: string
  readonly file?: string
  readonly above?: string
  readonly or?: string | ColumnRule
  readonly optional?: boolean
  readonly null?: string | readonly string[]
  readonly match?: string
  readonly words?: Readonly<Record<string, string>>
  readonly symbols?: 'nasdaq'
  readonly number?: 'us' | 'eu'
  readonly times?: string
  readonly date?: string | readonly string[]
  readonly time?: string | readonly string[]
  readonly zone?: string
}

/** How a file is built. */
export interface FileForm {
  readonly kind: (typeof KINDS_OF_FILES)[number]
  readonly header?: number
  readonly names?: readonly string[]
  readonly rows?: string | readonly string[]
  readonly shape?: 'objects' | 'arrays' | 'keyed' | 'columns'
  readonly sheet?: string
  readonly footer?: string
}

export interface Layout extends Omit<LayoutText, 'columns' | 'file'> {
  /** Its folder's name, or the path of the user's file. */
  readonly name: string
  readonly file: FileForm
  readonly columns: Readonly<Record<string, string | ColumnRule>>
}

const shape = Compile(LAYOUT)

/** Reads the text of a layout. Throws Failure `usage` that names the file and the first wrong member. */
export function parseLayout(name: string, path: string, text: string): Layout {
  const refused = (reason: string) => new Failure('usage', `${path} is not a layout: ${reason}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw refused(
      `it is not JSON (${thrown instanceof Error ? thrown.message.split('\n', 1)[0] : 'unknown'})`,
    )
  }
  if (!shape.Check(value)) throw refused(shapeFault(value, shape.Errors(value), membersAt))
  const layout = { ...value, name } as Layout
  if (layout.file.header === 0 && layout.file.names === undefined)
    throw refused('a file without a header needs file.names')
  for (const [column, rule] of Object.entries(layout.columns)) {
    const fault = faultOf(rule)
    if (fault !== undefined) throw refused(`columns.${column} ${fault}`)
  }
  return layout
}

const ORIGINS = ['from', 'join', 'value', 'option', 'file', 'above'] as const

/** What is wrong with a rule that its schema does not say. */
function faultOf(rule: string | ColumnRule): string | undefined {
  if (typeof rule === 'string') return
  const origins = ORIGINS.filter(origin => rule[origin] !== undefined)
  if (origins.length !== 1) return `must have exactly one of ${ORIGINS.join(', ')}`
  if (rule.date !== undefined && rule.time !== undefined) return 'must have only one of date and time'
  return rule.or === undefined ? undefined : faultOf(rule.or)
}

/** The names that a rule accepts for a column of the file, in turn; empty if it reads none. */
export const columnsOf = (rule: string | ColumnRule): readonly string[] =>
  typeof rule === 'string' ? [rule] : listed(rule.from ?? rule.join)

/** One or several texts as a list. */
export const listed = (texts: string | readonly string[] | undefined): readonly string[] =>
  texts === undefined ? [] : typeof texts === 'string' ? [texts] : texts
