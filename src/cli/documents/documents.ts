import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { examplePath, exampleText } from '../../api/openapi/examples.ts'
import { checkoutPath } from '../../engine/resources.ts'
import { flagOf, type Setting, variableOf } from '../command/setting.ts'
import { SETTINGS, SHARED_SETTINGS } from '../command/settings.ts'
import { commandNames, loadCommand } from '../commands.ts'
import { datasetsPage } from './datasets.ts'
import { enumerationsPage } from './enumerations.ts'
import { errorsPage } from './errors.ts'
import { makeExamples } from './examples.ts'
import { formatPages } from './formats.ts'
import { layoutSchema } from './layouts.ts'
import { MADE, page, table } from './markdown.ts'
import { operationsPage } from './operations.ts'
import { pointInTimePage } from './point-in-time.ts'

/** The documents that are generated from the code. `npm run docs` writes them, and a test compares them. */
export async function documents(): Promise<ReadonlyMap<string, string>> {
  const examples = await makeExamples()
  return new Map([
    ...[...examples].map(([id, example]) => [examplePath(id), exampleText(example)] as const),
    ['docs/settings.md', await settingsPage()],
    ['docs/operations.md', operationsPage(examples)],
    ['docs/datasets.md', datasetsPage()],
    ['docs/point-in-time.md', pointInTimePage()],
    ['docs/enumerations.md', enumerationsPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/layout.schema.json', layoutSchema()],
    ...formatPages(),
  ])
}

/** Folders whose files are all generated, so that the file of a removed operation or format is removed too. */
export const GENERATED_FOLDERS = ['data/examples', 'docs/formats'] as const

export async function writeDocuments(): Promise<void> {
  const generated = await documents()
  for (const [path, content] of generated) {
    const file = checkoutPath(path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  for (const folder of GENERATED_FOLDERS)
    for (const path of filesIn(folder)) if (!generated.has(path)) rmSync(checkoutPath(path))
}

/** The paths of all files below a folder of the checkout. */
export const filesIn = (folder: string): string[] =>
  readdirSync(checkoutPath(folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(checkoutPath('.'), join(entry.parentPath, entry.name)).replaceAll('\\', '/'))

async function settingsPage(): Promise<string> {
  const commands = await Promise.all(commandNames.map(loadCommand))
  const rows = Object.entries<Setting>(SETTINGS).map(([name, setting]) => [
    `\`--${flagOf(name)}\``,
    `\`${variableOf(name)}\``,
    setting.default === null
      ? (setting.defaultMeaning ?? 'none')
      : `\`${setting.default}\`${setting.unit ? ` ${setting.unit}` : ''}`,
    setting.help,
    SHARED_SETTINGS.some(shared => shared === name)
      ? 'all'
      : commands
          .filter(command => command.settings.some(used => used === name))
          .map(command => command.name)
          .join(', '),
  ])
  return page(
    '# Settings',
    MADE,
    'Every setting has a flag and an environment variable. The flag takes precedence over the variable, and the variable over the default.',
    table(['Flag', 'Variable', 'Default', 'Meaning', 'Commands'], rows),
  )
}
