import { resolve } from 'node:path'
import { timed } from '../../engine/deadline.ts'
import { openEngine } from '../../engine/engine.ts'
import { Failure } from '../../engine/failure.ts'
import { nearestName } from '../../engine/nearest-name.ts'
import { datasets } from '../../lake/store/datasets.ts'
import { loadSnapshot } from '../../lake/store/snapshot.ts'
import { pin, settle } from '../../operations/answering/answer.ts'
import { type Format, formatNames } from '../../operations/answering/formats.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { answerInParts, type Parts } from '../../operations/answering/pages.ts'
import { plainSql } from '../../operations/answering/plain-sql.ts'
import { faultText, type Input, validate } from '../../operations/answering/validate.ts'
import { operations } from '../../operations/index.ts'
import { usage } from '../command/arguments.ts'
import type { Arguments, Command, Flag } from '../command/command.ts'
import { textTable } from '../terminal/text-table.ts'
import { engineThreads } from '../terminal/threads.ts'

export const query: Command = {
  name: 'query',
  usage: '<operation> [parameters]',
  details: `Operations: ${operations.map(({ id }) => id).join(', ')}. The JSON is byte for byte what the server answers. tapehouse query <operation> --help lists its parameters.`,
  examples: [
    "tapehouse query analytics-window --symbols AAPL,MSFT --range 2month --calculations 'MEAN,STDDEV(annualized=True)'",
    'tapehouse query analytics-window --symbols AAPL --range full --calculations MAX_DRAWDOWN --format csv',
  ],
  settings: ['lake', 'deadlineMs', 'memoryMib', 'temporaryMib', 'threads'],
  flags: {
    format: { value: ['table', ...formatNames].join('|'), default: 'table', help: 'What to print.' },
    sql: { help: 'Print the SQL with its parameters filled in, for any DuckDB client, and run nothing.' },
  },
  flagsFor: argv => {
    const operation = operations.find(({ id }) => argv.includes(id))
    return operation ? Object.fromEntries(parameterFlags(operation)) : {}
  },
  run,
}

/** `range_end` is `--range-end`, `rule_name[]` is `--rule-name`. */
const flagName = (parameter: string) => parameter.replace('[]', '').replaceAll('_', '-')

function parameterFlags({ parameters }: Operation): [string, Flag][] {
  return Object.entries(parameters).map(([name, { description, example, required }]) => [
    flagName(name),
    { value: example, help: `${required ? 'Required. ' : ''}${description}`, repeatable: true },
  ])
}

async function run({ positionals, settings, flags }: Arguments): Promise<number> {
  const [id, ...more] = positionals
  const ids = operations.map(operation => operation.id)
  if (id === undefined) throw usage(query, `say an operation: ${ids.join(', ')}`)
  const operation = operations.find(candidate => candidate.id === id)
  if (operation === undefined)
    throw usage(query, `there is no operation ${JSON.stringify(id)}: did you mean ${nearestName(id, ids)}?`)
  if (more.length > 0) throw usage(query, `${JSON.stringify(more[0])} stands without a flag`)
  const format = formatOf(flags.format?.[0] ?? 'table')

  const validated = validate(operation, inputOf(operation, flags))
  if ('faults' in validated) throw new Failure('invalid_request', faultText(validated.faults))
  const snapshot = await loadSnapshot(resolve(settings.lake))
  // Whoever holds the lake's files may see all that is in them.
  const pinned = pin(operation, validated.values, snapshot, { owner: null, admin: true })
  const MEBIBYTE = 1024 ** 2
  const engine = await openEngine(
    {
      lake: snapshot.lake,
      threads: engineThreads(settings.threads, 1),
      memoryBytesMax: settings.memoryMib * MEBIBYTE,
      temporaryBytesMax: settings.temporaryMib * MEBIBYTE,
      leasesMax: 1,
      queueMax: 1,
      schemas: [...datasets().values()],
    },
    () => {},
  )
  const limited = timed(settings.deadlineMs)
  // What a write meets is told to its callback: see `print`.
  process.stdout.on('error', () => {})
  try {
    if (flags.sql?.length) {
      const settled = await limited(signal => settle(pinned, engine, signal))
      await print(`${plainSql(settled, engine)};\n`)
    } else {
      const parts = await answerInParts(pinned, engine, format === 'table' ? 'ndjson' : format, limited)
      if (format === 'table') await printTable(parts)
      else await printAll(parts)
      if (process.stdout.isTTY && format === 'json') await print('\n')
    }
  } finally {
    await engine.close()
  }
  return 0
}

/** Every part as it comes, until the reader has seen enough. */
async function printAll({ first, rest, close }: Parts): Promise<void> {
  let read = await print(first)
  try {
    while (read) {
      const part = (await rest?.next())?.value
      if (part === undefined) return
      read = await print(part)
    }
  } finally {
    await close()
  }
}

/** A table knows its widths only when it has all its rows: it holds one page, and says so if there are more. */
async function printTable({ first, rest, close }: Parts): Promise<void> {
  await print(textTable(first))
  if (rest !== null)
    process.stderr.write('note: there are more rows: give a --limit, or another --format to have them all\n')
  await close()
}

function formatOf(name: string): Format | 'table' {
  const format = (['table', ...formatNames] as const).find(candidate => candidate === name)
  if (format === undefined)
    throw usage(query, `--format must be table, ${formatNames.join(', ')}, not ${JSON.stringify(name)}`)
  return format
}

function inputOf(operation: Operation, flags: Arguments['flags']): Input {
  const given = Object.entries(operation.parameters).flatMap(([name, parameter]) =>
    (flags[flagName(name)] ?? []).map(value => ({ place: parameter.in, name, value })),
  )
  const pairs = (place: 'path' | 'query') =>
    given.filter(pair => pair.place === place).map(({ name, value }): [string, string] => [name, value])
  return { path: Object.fromEntries(pairs('path')), query: pairs('query') }
}

/** Writes all of it before going on; false from a reader that has seen enough, such as `head`, which is no failure. */
function print(content: string | Uint8Array): Promise<boolean> {
  return new Promise((done, fail) => {
    process.stdout.write(content, error => {
      if (!error) done(true)
      else if ('code' in error && error.code === 'EPIPE') done(false)
      else fail(error)
    })
  })
}
