import { resolve } from 'node:path'
import { timed } from '../../engine/deadline.ts'
import { loadSnapshot } from '../../lake/store/snapshot.ts'
import { countKeysWith, type LakeContents, lakeContents } from '../../operations/contents/contents.ts'
import { assertOnlyFlags, usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { withEngine } from '../command/reading.ts'
import { selectedSnapshot } from '../command/selected-snapshot.ts'
import { columnTable, outputWidth } from '../terminal/columns.ts'
import { amount, count, counted } from '../terminal/terminal.ts'

const FORMATS = ['table', 'json'] as const

export const info: Command = {
  name: 'info',
  usage: '[--format table|json]',
  details:
    'Prints what a snapshot holds: rows, size, days and tickers of each dataset, missing sessions, and what each operation lacks. The JSON is identical to the response to GET /api/lake.',
  examples: ['tapehouse info --lake data/lake', 'tapehouse info --format json'],
  settings: ['lake', 'snapshot', 'proofsDir', 'deadlineMs', 'memoryMib', 'temporaryMib', 'threads'],
  flags: { format: { value: FORMATS.join('|'), default: 'table', help: 'Output format.' } },
  run: async ({ positionals, settings, flags }) => {
    assertOnlyFlags(info, positionals)
    const format = FORMATS.find(each => each === flags.format?.[0])
    if (format === undefined)
      throw usage(info, `--format must be ${FORMATS.join(' or ')}, not ${JSON.stringify(flags.format?.[0])}`)
    const snapshot = await loadSnapshot(resolve(settings.lake), await selectedSnapshot(settings))
    const contents = await withEngine(settings, snapshot.lake, engine =>
      timed(settings.deadlineMs)(signal => lakeContents(snapshot, countKeysWith(engine, signal))),
    )
    process.stdout.write(format === 'json' ? JSON.stringify(contents) : pageOf(contents, outputWidth()))
    if (format === 'json' && process.stdout.isTTY) process.stdout.write('\n')
    return 0
  },
}

/** The contents of a lake as text. */
function pageOf(contents: LakeContents, width: number): string {
  const { snapshot, created_at, synthetic, rows, bytes, files, datasets } = contents
  const head = [
    `Snapshot ${snapshot}, published ${created_at.slice(0, 16).replace('T', ' ')} UTC`,
    `${counted(datasets.length, 'dataset')}, ${counted(rows, 'row')}, ${amount(bytes, 'bytes')} in ${counted(files, 'file')}`,
    synthetic ? 'Synthetic: all rows are generated.' : 'Imported data.',
  ]
  return [
    `${head.join('\n')}\n`,
    datasetTable(contents, width),
    ...sessionLines(contents),
    operationLines(contents),
  ]
    .filter(part => part !== '')
    .join('\n')
}

function datasetTable({ datasets }: LakeContents, width: number): string {
  return columnTable(
    [
      { name: 'dataset', cells: datasets.map(({ name }) => name), align: 'left' },
      { name: 'rows', cells: datasets.map(({ rows }) => count(rows)), align: 'right' },
      { name: 'size', cells: datasets.map(({ bytes }) => amount(bytes, 'bytes')), align: 'right' },
      { name: 'first day', cells: datasets.map(({ first_day }) => first_day), align: 'left' },
      { name: 'last day', cells: datasets.map(({ last_day }) => last_day), align: 'left' },
      { name: 'keys', cells: datasets.map(({ keys }) => count(keys.count)), align: 'right' },
      { name: 'key', cells: datasets.map(({ keys }) => keys.column), align: 'left', optional: true },
      { name: 'origin', cells: datasets.map(({ origin }) => origin), align: 'left', optional: true },
      { name: 'files', cells: datasets.map(({ files }) => count(files)), align: 'right', optional: true },
    ],
    width,
  )
}

/** The missing sessions of each dataset, one line each. */
function sessionLines({ datasets }: LakeContents): string[] {
  const lines = datasets.flatMap(({ name, missing_sessions: missing }) =>
    missing === null || missing.count === 0
      ? []
      : [
          `  ${name}: ${count(missing.count)} (${missing.first.join(', ')}${missing.count > missing.first.length ? ', …' : ''})\n`,
        ],
  )
  return lines.length === 0 ? [] : [`Missing sessions between the first and the last day:\n${lines.join('')}`]
}

/** How many operations the lake can answer, and which imports and derivations the others need. */
function operationLines({ operations }: LakeContents): string {
  const those = (answers: string) => operations.filter(each => each.answers === answers)
  const [all, partly, none] = [those('yes'), those('partly'), those('no')]
  const needed = new Map<string, string[]>()
  for (const { id, missing, answers } of [...none, ...partly])
    for (const { dataset, import: formats } of missing) {
      const command =
        formats.length === 0 ? `tapehouse derive ${dataset}` : `tapehouse import ${formats.join(' or ')}`
      const ids = needed.get(command) ?? []
      const text = answers === 'partly' ? `${id} (in part)` : id
      if (!ids.includes(text)) ids.push(text)
      needed.set(command, ids)
    }
  const lines = [...needed].toSorted().map(([command, ids]) => `  ${command}\n    for ${ids.join(', ')}\n`)
  const answered = `Operations: ${all.length} of ${operations.length} have all their datasets.`
  if (lines.length === 0) return `${answered}\n`
  return `${answered} ${partly.length} can be answered in part.\nTo fill the gaps:\n${lines.join('')}`
}
