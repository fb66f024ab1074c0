import { type Example, valuesIn } from '../../api/openapi/examples.ts'
import { datasets } from '../../lake/store/datasets.ts'
import { FORMATS, formatNames } from '../../operations/answering/formats.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { SUBJECTS } from '../../operations/answering/template-head.ts'
import { operations } from '../../operations/index.ts'
import { errorsOfOperations } from './error-bodies.ts'
import { limitsTable } from './limits.ts'
import { anchorOf, MADE, page, table } from './markdown.ts'
import { defaultOf, valuesOf } from './values.ts'

/** docs/operations.md: a table of contents, then each operation below its subject. */
export function operationsPage(examples: ReadonlyMap<string, Example>): string {
  const subjects = SUBJECTS.map(subject => ({
    subject,
    members: operations.filter(operation => operation.subject === subject).toSorted(byTitle),
  })).filter(({ members }) => members.length > 0)
  return page(
    '# Operations',
    MADE,
    'Every operation is a GET request. `tapehouse query` runs it without a server. Errors are described in [errors.md](errors.md).',
    '## Contents',
    ...subjects.map(({ subject, members }) => contents(subject, members)),
    ['Formats', 'Limits', 'Errors'].map(title => `[${title}](#${anchorOf(title)})`).join(', '),
    ...subjects.flatMap(({ subject, members }) => [
      `## ${subject}`,
      ...members.map(member => section(member, examples.get(member.id))),
    ]),
    '## Formats',
    'The `Accept` header selects the format of a response, `--format` that of `tapehouse query`. All formats contain the same rows. Default: JSON; on the command line, a text table.',
    table(
      ['`Accept`', 'Command line'],
      formatNames.map(name => [`\`${FORMATS[name].mediaType}\``, `\`--format ${name}\``]),
    ),
    '## Limits',
    'A parameter beyond its limit is an error, and never cut to the limit.',
    limitsTable(),
    '## Errors',
    'An error has a JSON body in every format. [errors.md](errors.md) has the meaning and the remedy of each code.',
    errorsOfOperations(),
  )
}

const byTitle = (one: Operation, other: Operation) => (one.summary < other.summary ? -1 : 1)

function contents(subject: string, members: readonly Operation[]): string {
  const lines = members.map(
    ({ id, path, summary }) => `- [${summary}](#${anchorOf(summary)}): \`${id}\`, \`${path}\``,
  )
  return [`**[${subject}](#${anchorOf(subject)})**`, lines.join('\n')].join('\n\n')
}

function section(operation: Operation, example: Example | undefined): string {
  const { id, path, summary, description, parameters } = operation
  const values = example ? valuesIn(operation, example) : {}
  return [
    `### ${summary}`,
    `\`GET ${path}\`, \`tapehouse query ${id}\``,
    description,
    table(
      ['Parameter', 'In', 'Values', 'Default', 'Meaning', 'Example'],
      Object.entries(parameters).map(([name, parameter]) => [
        `\`${name}\``,
        parameter.in,
        valuesOf(parameter),
        parameter.required ? '**required**' : defaultOf(parameter),
        parameter.description,
        `\`${values[name] ?? parameter.example}\``,
      ]),
    ),
    `The [fields of the response](datasets.md#${fieldsAnchor(id)}), with the columns that they are computed from.`,
    ...exampleLines(example),
  ].join('\n\n')
}

/** The anchor of an operation in docs/datasets.md, where datasets come first: the second heading of a name gets a number. */
const fieldsAnchor = (id: string) => (datasets().has(id) ? `${id}-1` : id)

/** A request and its response, collapsed: expanded, the page would consist of examples. */
function exampleLines(example: Example | undefined): string[] {
  if (example === undefined) return []
  const json = `\`\`\`json\n${JSON.stringify(example.answer, null, 2)}\n\`\`\``
  return [`<details><summary><code>GET ${example.request}</code></summary>`, json, '</details>']
}
