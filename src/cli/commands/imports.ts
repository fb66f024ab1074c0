import { resolve } from 'node:path'
import { importsOverview } from '../../lake/imports/overview.ts'
import { undoImport } from '../../lake/imports/undo.ts'
import type { PastImport } from '../../lake/land/history.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { LIST_FLAG, listFormatOf } from '../command/list-format.ts'
import { withWriter, writerDefaults } from '../command/maintenance.ts'
import { printable } from '../terminal/printable.ts'
import { type Cell, listJson, listText } from '../terminal/records.ts'
import { counted } from '../terminal/terminal.ts'

export const importsCommand: Command = {
  name: 'imports',
  usage: '[flags]  |  undo N',
  details:
    'Lists the imports of the lake, the oldest first. The number of an import is that of the snapshot that it made. undo publishes a snapshot in which the days that an import changed have the rows that they had before, and derives what depends on them. It refuses while a later import has changed one of these days: undo that one first. The last 20 imports can be undone, as long as vacuum keeps what they replaced. The files of an undone import can be imported again.',
  examples: ['tapehouse imports --lake data/lake', 'tapehouse imports undo 12 --lake data/lake'],
  defaults: writerDefaults,
  settings: ['lake', 'memoryMib', 'threads'],
  flags: LIST_FLAG,
  run: async ({ positionals: [action, number, ...more], settings, flags }) => {
    if (action !== undefined) {
      if (action !== 'undo' || more.length > 0)
        throw usage(
          importsCommand,
          `unknown argument ${JSON.stringify(more[0] ?? action)}: specify undo N, or nothing`,
        )
      if (number === undefined || !/^[1-9]\d{0,14}$/.test(number))
        throw usage(importsCommand, 'undo requires the number of one import: "tapehouse imports" lists them')
      const { snapshot, datasets } = await withWriter(settings, settings.lake, (writer, lake, observe) =>
        undoImport(writer, lake, Number(number), observe),
      )
      process.stdout.write(`Import ${number} is undone (${datasets.join(', ')}): snapshot ${snapshot}.\n`)
      return 0
    }
    const format = listFormatOf(importsCommand, flags)
    const { imports, unrecorded } = await importsOverview(resolve(settings.lake))
    process.stdout.write(
      format === 'json'
        ? listJson(imports.map(asDocument))
        : listText(imports.flatMap(LINES[format]), format),
    )
    if (unrecorded > 0)
      process.stderr.write(
        `note: an earlier version imported ${counted(unrecorded, 'file')} more, and did not record names and times\n`,
      )
    return 0
  },
}

const asDocument = ({ number, undoneBy, record }: PastImport) => {
  const { time, import_format: format, layouts = [], files, renamed = [], landed } = record
  return {
    import: number,
    time,
    format,
    layouts,
    files: files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    rows: landed?.rows ?? null,
    rejected: landed?.rejected ?? null,
    datasets: landed === undefined ? null : Object.fromEntries(changesOf(landed)),
    renamed,
    undone_by: undoneBy,
  }
}

type Landed = NonNullable<PastImport['record']['landed']>

/** The datasets whose rows an import changed. */
const changesOf = ({ datasets }: Landed) =>
  Object.entries(datasets).flatMap(([name, { added, replaced, extent }]) => {
    const [first = null, last = null] = extent?.days ?? []
    return added + replaced > 0
      ? [[name, { added, replaced, first_day: first, last_day: last }] as const]
      : []
  })

/** A line for each dataset whose rows an import changed, or one. */
function linesOf({ number, undoneBy, record }: PastImport): Record<string, Cell>[] {
  const { time, import_format: format, layouts = [], files, landed } = record
  const changes =
    landed === undefined ? [] : changesOf(landed).map(([dataset, rows]) => ({ dataset, ...rows }))
  const none = { dataset: null, added: null, replaced: null, first_day: null, last_day: null }
  return (changes.length > 0 ? changes : [none]).map(each => ({
    import: number,
    time,
    format,
    layout: layouts.map(printable).join(', ') || null,
    files: files.length,
    file: printable(files[0]?.name ?? ''),
    rows: landed?.rows ?? null,
    rejected: landed?.rejected ?? null,
    undone_by: undoneBy,
    ...each,
  }))
}

/** For readers, what all lines of an import share is in its first line, and times have no milliseconds. */
const LINES = {
  csv: linesOf,
  table: (past: PastImport) =>
    linesOf(past).map(({ dataset, added, replaced, first_day, last_day, ...shared }, index) => {
      const {
        import: number,
        time,
        format,
        layout,
        files,
        file,
        rows,
        rejected,
        undone_by: undoneBy,
      } = shared
      const own = {
        import: number ?? 'unknown',
        time: String(time).replace(/\.\d+Z$/, 'Z'),
        format: layout == null ? (format ?? null) : `${format}/${layout}`,
        file: Number(files) > 1 ? `${file} and ${Number(files) - 1} more` : (file ?? null),
        rows: rows ?? null,
        rejected: rejected ?? null,
      }
      const blank = Object.fromEntries(Object.keys(own).map(key => [key, null]))
      return {
        ...(index === 0 ? own : blank),
        dataset: dataset ?? null,
        added: added ?? null,
        replaced: replaced ?? null,
        days: first_day === last_day ? (first_day ?? null) : `${first_day} to ${last_day}`,
        undone: index === 0 && undoneBy !== null ? `by snapshot ${undoneBy}` : null,
      }
    }),
}
