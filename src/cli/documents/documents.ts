import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Example, examplePath, exampleText } from '../../api/http/examples.ts'
import { checkoutPath } from '../../engine/resources.ts'
import { FORMATS, formatNames } from '../../operations/answering/formats.ts'
import { operations } from '../../operations/index.ts'
import { flagOf, SETTINGS, type Setting, variableOf } from '../command/settings.ts'
import { commandNames, loadCommand } from '../commands.ts'
import { datasetsPage } from './datasets.ts'
import { enumerationsPage } from './enumerations.ts'
import { errorsPage } from './errors.ts'
import { makeExamples } from './examples.ts'
import { formatPages } from './formats.ts'
import { MADE, page, table } from './markdown.ts'

/** The documents that are generated from the code. `npm run docs` writes them, and a test compares them. */
export async function documents(): Promise<ReadonlyMap<string, string>> {
  const examples = await makeExamples()
  return new Map([
    ...[...examples].map(([id, example]) => [examplePath(id), exampleText(example)] as const),
    ['docs/settings.md', await settingsPage()],
    ['docs/operations.md', operationsPage(examples)],
    ['docs/datasets.md', datasetsPage()],
    ['docs/enumerations.md', enumerationsPage()],
    ['docs/errors.md', errorsPage()],
    ...formatPages(),
  ])
}

export async function writeDocuments(): Promise<void> {
  for (const [path, content] of await documents()) {
    const file = checkoutPath(path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}

async function settingsPage(): Promise<string> {
  const commands = await Promise.all(commandNames.map(loadCommand))
  const rows = Object.entries<Setting>(SETTINGS).map(([name, setting]) => [
    `\`--${flagOf(name)}\``,
    `\`${variableOf(name)}\``,
    setting.default === null
      ? (setting.defaultMeaning ?? 'none')
      : `\`${setting.default}\`${setting.unit ? ` ${setting.unit}` : ''}`,
    setting.help,
    commands
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

function operationsPage(examples: ReadonlyMap<string, Example>): string {
  const sections = operations.map(({ id, path, summary, description, parameters }) =>
    [
      `## ${summary}`,
      `\`GET ${path}\` — \`tapehouse query ${id}\``,
      description,
      table(
        ['Parameter', 'In', 'Required', 'Meaning', 'Example'],
        Object.entries(parameters).map(([name, parameter]) => [
          `\`${name}\``,
          parameter.in,
          parameter.required ? 'yes' : 'no',
          parameter.description,
          `\`${parameter.example}\``,
        ]),
      ),
      ...exampleLines(examples.get(id)),
    ].join('\n\n'),
  )
  const formats = formatNames.map(name => [`\`${FORMATS[name].mediaType}\``, `\`--format ${name}\``])
  return page(
    '# Operations',
    MADE,
    ...sections,
    '## Formats',
    'JSON unless the `Accept` header asks for another. All hold the same rows.',
    table(['Accept', 'On the command line'], formats),
  )
}

/** A request and its answer, folded up: with a pair of them for each operation the page would be all examples. */
function exampleLines(example: Example | undefined): string[] {
  if (example === undefined) return []
  const json = `\`\`\`json\n${JSON.stringify(example.answer, null, 2)}\n\`\`\``
  return [`<details><summary><code>GET ${example.request}</code></summary>`, json, '</details>']
}
