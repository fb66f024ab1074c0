import { resolve } from 'node:path'
import { type PastSnapshot, snapshotHistory } from '../../lake/snapshots/history.ts'
import { assertOnlyFlags } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { LIST_FLAG, listFormatOf } from '../command/list-format.ts'
import { type Cell, listJson, listText } from '../terminal/records.ts'

export const snapshots: Command = {
  name: 'snapshots',
  usage: '[flags]',
  details:
    'Lists the snapshots that the lake has, the oldest first: number, time, the command that made it, the rows that it added, replaced and removed by dataset, and the names by which it is kept. Older snapshots that are not kept are deleted by vacuum.',
  examples: ['tapehouse snapshots --lake data/lake', 'tapehouse snapshots --format json'],
  settings: ['lake'],
  flags: LIST_FLAG,
  run: async ({ positionals, settings, flags }) => {
    assertOnlyFlags(snapshots, positionals)
    const format = listFormatOf(snapshots, flags)
    const { snapshots: past, lost } = await snapshotHistory(resolve(settings.lake))
    process.stdout.write(
      format === 'json' ? listJson(past.map(asDocument)) : listText(past.flatMap(LINES[format]), format),
    )
    for (const { name, snapshot } of lost)
      process.stderr.write(
        `note: ${name} keeps snapshot ${snapshot}, which does not exist: restore it from a copy of the lake, or run "tapehouse snapshot release ${name}"\n`,
      )
    return 0
  },
}

const asDocument = ({ record, isCurrent, keptAs }: PastSnapshot) => ({
  snapshot: record.number,
  time: record.created_at,
  made_by: record.made_by ?? null,
  current: isCurrent,
  kept_as: keptAs,
  changes: record.changes ?? null,
})

/** A line for each dataset whose rows changed, or one. */
function linesOf({ record, isCurrent, keptAs }: PastSnapshot): Record<string, Cell>[] {
  const changes = Object.entries(record.changes ?? {})
  const rows = changes.map(([dataset, rows]) => ({ dataset, ...rows }))
  const none = { dataset: null, added: null, replaced: null, removed: null }
  return (rows.length > 0 ? rows : [none]).map(each => ({
    snapshot: record.number,
    time: record.created_at,
    made_by: record.made_by ?? null,
    current: isCurrent,
    kept_as: keptAs.join(' '),
    ...each,
  }))
}

/** For readers, what all lines of a snapshot share is in its first line, and times have no milliseconds. */
const LINES = {
  csv: linesOf,
  table: (past: PastSnapshot) =>
    linesOf(past).map(({ snapshot, time, made_by, current, kept_as, ...rows }, index) => {
      const isFirst = index === 0
      return {
        snapshot: isFirst ? (snapshot ?? null) : null,
        time: isFirst ? String(time).replace(/\.\d+Z$/, 'Z') : null,
        'made by': isFirst ? (made_by ?? null) : null,
        kept: isFirst ? [current ? '(current)' : '', String(kept_as)].filter(Boolean).join(' ') : null,
        ...rows,
      }
    }),
}
