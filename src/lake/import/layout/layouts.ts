import { Failure } from '../../../engine/failure.ts'
import { resources } from '../../../engine/resources.ts'
import { FOLDER, type ImportFormat } from '../format/format.ts'
import { type ColumnRule, type Layout, parseLayout } from './layout.ts'
import { groupOf } from './rule.ts'

const FILE = 'layout.json'

const known = new Map<string, readonly Layout[]>()

/** The layouts of a format, by name: `sql/import/<format>/<layout>/layout.json`. A dataset's own columns have none. */
export function layoutsOf(format: string): readonly Layout[] {
  const found = known.get(format) ?? readLayouts(format)
  known.set(format, found)
  return found
}

function readLayouts(format: string): Layout[] {
  const folder = `${FOLDER}/${format}`
  return resources.list(folder).flatMap(name => {
    if (name.includes('.') || !resources.list(`${folder}/${name}`).includes(FILE)) return []
    const path = `${folder}/${name}/${FILE}`
    return [parseLayout(name, path, resources.read(path))]
  })
}

/** The layout of a format by its name, as in `daily-bars/nasdaq`. Throws Failure `usage` with the known names. */
export function layoutNamed(format: string, name: string): Layout {
  const layouts = layoutsOf(format)
  const found = layouts.find(layout => layout.name === name)
  if (found !== undefined) return found
  const names = layouts.map(each => each.name).join(', ')
  throw new Failure(
    'usage',
    `${format} has no layout ${JSON.stringify(name)}: ${names === '' ? 'it has no layouts' : `use one of ${names}`}`,
  )
}

/** What the rules of layouts take from the name of a file, such as its ticker: nothing if no pattern fits. */
export function namePartsOf(layouts: readonly Layout[], fileName: string): string[] {
  const ofRule = (rule: string | ColumnRule | undefined): string[] => {
    if (typeof rule !== 'object') return []
    const found = rule.file === undefined ? undefined : groupOf(rule.file, fileName)
    return [...(found === undefined ? [] : [found]), ...ofRule(rule.or)]
  }
  return [...new Set(layouts.flatMap(({ columns }) => Object.values(columns).flatMap(ofRule)))]
}

/** The flags that every import with layouts has. */
const COMMON = [
  {
    name: 'zone',
    meaning: 'time zone of times without one, e.g. America/New_York; otherwise that of the layout',
  },
]

/** The flags that layouts use besides those of their format. */
export function layoutOptions(layouts: readonly Layout[]): { name: string; meaning: string }[] {
  if (layouts.length === 0) return []
  const own = layouts.flatMap(({ options = {} }) => Object.entries(options))
  return [...COMMON, ...[...new Map(own)].map(([name, meaning]) => ({ name, meaning }))]
}

/** Throws Failure `usage` for a flag that neither the format nor the layouts have. */
export function checkOptions(
  format: ImportFormat,
  layouts: readonly Layout[],
  options: Readonly<Record<string, string>>,
) {
  const names = [...format.options, ...layoutOptions(layouts)].map(({ name }) => name)
  const strange = Object.keys(options).find(name => !names.includes(name))
  if (strange !== undefined)
    throw new Failure(
      'usage',
      `${format.name} has no option --${strange}: ${names.length === 0 ? 'it has no options' : `it has ${names.map(name => `--${name}`).join(', ')}`}`,
    )
  return options
}
