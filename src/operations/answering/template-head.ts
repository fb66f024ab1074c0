/** What the head of an operation's template documents: the comment lines at the top of `sql/endpoints/<id>.sql`. */

/** The subjects that documents group operations by, in their order. */
export const SUBJECTS = [
  'Options flow',
  'Option contracts',
  'Stocks and ETFs',
  'Institutions',
  'Politicians and insiders',
  'Prediction markets',
  'Economy and currencies',
  'Crypto',
  'Analytics',
  'Alerts',
] as const
export type Subject = (typeof SUBJECTS)[number]

export interface TemplateHead {
  /** The operation's title, a phrase without a period. */
  readonly title: string
  /** Path parameters in braces, as in OpenAPI. */
  readonly path: string
  readonly subject: Subject
  /** Markdown, one paragraph per `-- description:`. */
  readonly description: string
}

interface Line {
  readonly label: string
  readonly value: string
  /** Line number, from 1. */
  readonly line: number
}

const LABELLED = /^-- ([a-z][a-z0-9-]*): (\S.*)$/
const CONTINUED = /^-- {3}(\S.*)$/

/**
 * Parses the head of an operation's template:
 *
 *     -- <id>: <title>
 *     -- path: /api/…
 *     -- subject: <one of SUBJECTS>
 *     -- description: <a paragraph>
 *     --   <its next line>
 *     -- description: <the next paragraph>
 *
 * The head ends at the first line that is neither; a line `--` separates it from comments about the SQL. Throws an
 * Error that names the file, the line and the remedy.
 */
export function parseTemplateHead(id: string, file: string, sql: string): TemplateHead {
  const lines = labelledLines(sql)
  const [first, ...rest] = lines
  if (first?.label !== id || first.line !== 1) throw new Error(`${file}:1: expected "-- ${id}: <title>"`)
  const unknown = rest.find(({ label }) => !['path', 'subject', 'description'].includes(label))
  if (unknown)
    throw new Error(
      `${file}:${unknown.line}: unknown label "${unknown.label}"; known are path, subject and description. A line "--" ends the head`,
    )
  const only = (label: string, expected: string): Line => {
    const [value, other] = rest.filter(line => line.label === label)
    if (value === undefined) throw new Error(`${file}: its head lacks "-- ${label}: ${expected}"`)
    if (other) throw new Error(`${file}:${other.line}: a second "-- ${label}:"; remove one of them`)
    return value
  }
  const path = only('path', '/api/…')
  if (!/^\/api(\/([\w.-]+|\{\w+\}))+$/.test(path.value))
    throw new Error(
      `${file}:${path.line}: "${path.value}" is not a path; write it as /api/stock/{ticker}/name`,
    )
  const subject = only('subject', SUBJECTS.join(' | '))
  if (!isSubject(subject.value))
    throw new Error(
      `${file}:${subject.line}: "${subject.value}" is not a subject; use one of ${SUBJECTS.join(', ')}`,
    )
  const paragraphs = rest.filter(({ label }) => label === 'description').map(({ value }) => value)
  if (paragraphs.length === 0) throw new Error(`${file}: its head lacks "-- description: <what it answers>"`)
  return {
    title: first.value,
    path: path.value,
    subject: subject.value,
    description: paragraphs.join('\n\n'),
  }
}

const isSubject = (text: string): text is Subject => SUBJECTS.some(subject => subject === text)

/** The labels of a head with their values, continuation lines joined by blanks. */
function labelledLines(sql: string): Line[] {
  const found: Line[] = []
  for (const [index, line] of sql.split('\n').entries()) {
    const [, label, value = ''] = LABELLED.exec(line) ?? []
    const [, continued] = CONTINUED.exec(line) ?? []
    const last = found.at(-1)
    if (label !== undefined) found.push({ label, value: value.trim(), line: index + 1 })
    else if (continued !== undefined && last)
      found.splice(-1, 1, { ...last, value: `${last.value} ${continued.trim()}` })
    else break
  }
  return found
}
