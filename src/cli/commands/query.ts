import { resolve } from 'node:path'
import { timed } from '../../engine/deadline.ts'
import type { Engine } from '../../engine/engine.ts'
import { Failure } from '../../engine/failure.ts'
import { suggestion } from '../../engine/nearest-name.ts'
import { knowledgeDay } from '../../lake/point-in-time/cutoff.ts'
import { openSnapshot, type Snapshot } from '../../lake/store/snapshot.ts'
import { type Pinned, pin, settle } from '../../operations/answering/answer.ts'
import { type Format, formatNames } from '../../operations/answering/formats.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { answerInParts, type Parts } from '../../operations/answering/pages.ts'
import { type Changes, nextPage } from '../../operations/answering/paging.ts'
import { plainSql } from '../../operations/answering/plain-sql.ts'
import { faultText, type Input, validate } from '../../operations/answering/validate.ts'
import { operations } from '../../operations/index.ts'
import { usage } from '../command/arguments.ts'
import type { Arguments, Command } from '../command/command.ts'
import { withEngine } from '../command/reading.ts'
import { selectedSnapshot } from '../command/selected-snapshot.ts'
import { flagOf } from '../command/setting.ts'
import type { Settings } from '../command/settings.ts'
import {
  exampleCommand,
  flagName,
  helpBlocks,
  operationOf,
  parameterFlags,
} from '../query/operation-argument.ts'
import { digest, print, printAll } from '../query/print.ts'
import { note, SYNTHETIC } from '../terminal/note.ts'
import type { TableOptions } from '../terminal/text-table.ts'

export const query: Command = {
  name: 'query',
  usage: '<operation> [parameters]',
  details:
    'Run tapehouse query <operation> --help for the parameters and an example of an operation. The JSON is identical to the response of the server.',
  examples: [
    "tapehouse query analytics-window --symbols AAPL,MSFT --range 2month --calculations 'MEAN,STDDEV(annualized=True)'",
    'tapehouse query analytics-window --symbols AAPL --range full --calculations MAX_DRAWDOWN --format csv',
  ],
  settings: [
    'lake',
    'snapshot',
    'proofsDir',
    'closedPercent',
    'closedSessions',
    'deadlineMs',
    'memoryMib',
    'temporaryMib',
    'threads',
  ],
  flags: {
    format: { value: ['table', ...formatNames].join('|'), default: 'table', help: 'Output format.' },
    'as-of': {
      value: 'TIME',
      help: 'Answer with what was known at this time: a date, or a time with a zone such as 2024-03-15T09:30:00-04:00. Counts as the last 20:00 New York at or before it; a date as its own 20:00.',
    },
    columns: { value: 'NAME,…', help: 'Columns of the table to print, in this order.' },
    vertical: {
      help: 'Print each record of the table as lines with a name and a value. A table that is wider than the terminal is printed so in any case.',
    },
    sql: { help: 'Print the SQL with its parameters filled in, for any DuckDB client, without running it.' },
    explain: {
      help: 'Print where the answer comes from instead: snapshot, build, template, files, imports, and a citation. As text, or with --format json.',
    },
    cite: { value: 'LINE', help: 'Run a citation again and print the same JSON, or say what differs.' },
  },
  flagsFor: argv => {
    const operation = named(argv)
    return operation ? parameterFlags(operation) : {}
  },
  blocksFor: argv => helpBlocks(named(argv)),
  examplesFor: argv => {
    const operation = named(argv)
    return operation && [exampleCommand(operation)]
  },
  run,
}

/** The operation that the arguments name. */
const named = (argv: readonly string[]) =>
  operationOf(argv, [
    ...query.settings.map(flagOf),
    ...Object.entries(query.flags).flatMap(([name, { value }]) => (value === undefined ? [] : [name])),
  ])

async function run(parsed: Arguments): Promise<number> {
  const { positionals, settings, flags } = parsed
  assertTogether(flags)
  // Errors of a write are handled by its callback: see `print`.
  process.stdout.on('error', () => {})
  const [citation] = flags.cite ?? []
  if (citation !== undefined) {
    assertOnlyCitation(parsed)
    const { cite } = await import('../query/cite.ts')
    await cite(citation, settings)
    return 0
  }
  const [id, ...more] = positionals
  const ids = operations.map(operation => operation.id)
  if (id === undefined) throw usage(query, `no operation: specify one of ${ids.join(', ')}`)
  const operation = operations.find(candidate => candidate.id === id)
  if (operation === undefined)
    throw usage(query, `unknown operation ${JSON.stringify(id)}: ${suggestion(id, ids)}`)
  if (more.length > 0)
    throw usage(query, `unexpected argument ${JSON.stringify(more[0])}: pass parameters as flags`)
  const format = formatOf(flags.format?.[0] ?? 'table')
  if (isBinary(format) && process.stdout.isTTY)
    throw usage(query, `${format} is not text: redirect it to a file, for example with > answer.${format}`)

  const input = inputOf(operation, flags)
  const validated = validate(operation, input)
  if ('faults' in validated) throw new Failure('invalid_request', faultText(validated.faults))
  const day = dayOfFlag(flags['as-of']?.[0])
  const current = await openSnapshot(resolve(settings.lake), await selectedSnapshot(settings), {
    percent: settings.closedPercent,
    sessions: settings.closedSessions,
  })
  const request = {
    operation,
    input,
    values: validated.values,
    format,
    table: tableOptions(flags, format),
    shows: SHOWN.find(flag => flags[flag]?.length) ?? 'answer',
    settings,
  } as const
  if (day === null) {
    await respond(request, current, [])
    return 0
  }
  const { withSnapshotAsOf } = await import('../command/as-of.ts')
  await withSnapshotAsOf(settings, current, day, (snapshot, folder) => respond(request, snapshot, [folder]))
  return 0
}

const SHOWN = ['sql', 'explain'] as const

interface Request {
  readonly operation: Operation
  readonly input: Input
  readonly values: Readonly<Record<string, unknown>>
  readonly format: Format | 'table'
  readonly table: TableOptions
  /** What is printed: the answer, its SQL or where it comes from. */
  readonly shows: 'answer' | (typeof SHOWN)[number]
  readonly settings: Settings
}

/** Prints the answer from a snapshot, whose files are in the lake and in `directories`. */
async function respond(
  { operation, input, values, format, table, shows, settings }: Request,
  snapshot: Snapshot,
  directories: readonly string[],
): Promise<void> {
  // A user who can read the files of the lake may see everything in them.
  const pinned = pin(operation, values, snapshot, { owner: null, admin: true })
  const limited = timed(settings.deadlineMs)
  const work = async (engine: Engine) => {
    if (shows === 'sql') {
      const settled = await limited(signal => settle(pinned, engine, signal))
      return print(`${plainSql(settled, engine)};\n`)
    }
    if (shows === 'explain') {
      const { explain } = await import('../../operations/citing/explanation.ts')
      const { explanationText } = await import('../query/explain.ts')
      const settled = await limited(signal => settle(pinned, engine, signal))
      const answer = await digest(await answerInParts(pinned, engine, 'json', limited))
      const explanation = await explain(settled, input, answer)
      return print(
        format === 'json' ? `${JSON.stringify(explanation)}\n` : explanationText(settings.lake, explanation),
      )
    }
    const parts = await answerInParts(pinned, engine, format === 'table' ? 'ndjson' : format, limited)
    if (snapshot.synthetic) note(SYNTHETIC)
    if (parts.isEmpty) note(await whyNoRows(pinned, engine, limited))
    if (format === 'table') await printTable(parts, table)
    else await printAll(parts)
    if (parts.end !== null) noteNextPage(nextPage(pinned, parts.end))
    return process.stdout.isTTY && format === 'json' ? print('\n') : true
  }
  await withEngine(settings, snapshot.lake, work, directories)
}

/** Why the answer has no rows, in one line. */
async function whyNoRows(pinned: Pinned, engine: Engine, limited: ReturnType<typeof timed>): Promise<string> {
  const { whyEmpty } = await import('../../operations/answering/empty.ts')
  const { emptyNote } = await import('../../operations/contents/empty-note.ts')
  return emptyNote(pinned, await limited(signal => whyEmpty(pinned, engine, signal)))
}

/** The day that `--as-of` stands for; null without the flag. */
function dayOfFlag(text: string | undefined): string | null {
  if (text === undefined) return null
  const day = knowledgeDay(text)
  if (day === null)
    throw usage(
      query,
      `--as-of must be a date such as 2024-03-15, or a time with a zone such as 2024-03-15T09:30:00-04:00, not ${JSON.stringify(text)}`,
    )
  return day
}

/** Prints the first page as a table, because the widths of the columns depend on all rows, and notes if there are more. */
async function printTable({ first, rest, close }: Parts, table: TableOptions): Promise<void> {
  const { columnNames, textTable } = await import('../terminal/text-table.ts')
  const names = columnNames(first)
  const unknown = names.length === 0 ? undefined : table.columns?.find(name => !names.includes(name))
  if (unknown !== undefined) {
    await close()
    throw usage(
      query,
      `--columns names ${JSON.stringify(unknown)}, which the answer does not have: ${suggestion(unknown, [...names])}`,
    )
  }
  await print(textTable(first, table))
  if (rest !== null) note('there are more rows: use --limit, or another --format to print all rows')
  await close()
}

/** Says how to go on: with these parameters in place of those of the command. */
function noteNextPage(changes: Changes | null): void {
  if (changes === null) return
  const flags = Object.entries(changes).map(([name, value]) => `--${flagName(name)} ${value}`)
  note(`there are more records: continue with ${flags.join(' ')}`)
}

/** Throws usage for flags that exclude each other. */
function assertTogether(flags: Arguments['flags']): void {
  const [one, other] = ['sql', 'explain', 'cite'].filter(name => flags[name]?.length)
  if (other !== undefined) throw usage(query, `--${one} and --${other} exclude each other`)
  if (flags['as-of']?.length) {
    if (one === 'sql')
      throw usage(query, '--sql has no meaning with --as-of, whose files exist only until the command ends')
    if (one === 'cite') throw usage(query, '--cite takes no --as-of: the citation names it')
  }
  const [format = 'table'] = flags.format ?? []
  if ((one === 'explain' || one === 'cite') && format !== 'table' && format !== 'json')
    throw usage(query, `--${one} does not print ${format}: leave out --format`)
}

/** Throws usage for arguments that a citation has itself. */
function assertOnlyCitation({ positionals, settings }: Arguments): void {
  const other = positionals[0] ?? (settings.snapshot === null ? undefined : `--snapshot ${settings.snapshot}`)
  if (other !== undefined)
    throw usage(query, `--cite takes no ${JSON.stringify(other)}: the citation names operation and snapshot`)
}

function tableOptions(flags: Arguments['flags'], format: Format | 'table'): TableOptions {
  const other = ['columns', 'vertical'].find(name => flags[name]?.length)
  if (other !== undefined && format !== 'table')
    throw usage(query, `--${other} is for tables: leave it out with --format ${format}`)
  const columns = flags.columns?.[0]?.split(',').map(name => name.trim())
  return { columns, isVertical: flags.vertical?.length === 1 }
}

function formatOf(name: string): Format | 'table' {
  const format = (['table', ...formatNames] as const).find(candidate => candidate === name)
  if (format === undefined)
    throw usage(query, `--format must be table, ${formatNames.join(', ')}, not ${JSON.stringify(name)}`)
  return format
}

const isBinary = (format: Format | 'table') => format === 'arrow' || format === 'parquet'

function inputOf(operation: Operation, flags: Arguments['flags']): Input {
  const values = Object.entries(operation.parameters).flatMap(([name, parameter]) =>
    (flags[flagName(name)] ?? []).map(value => ({ place: parameter.in, name, value })),
  )
  const pairs = (place: 'path' | 'query') =>
    values.filter(pair => pair.place === place).map(({ name, value }): [string, string] => [name, value])
  return { path: Object.fromEntries(pairs('path')), query: pairs('query') }
}
