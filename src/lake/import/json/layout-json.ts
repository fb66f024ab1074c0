import { Failure, firstLine } from '../../../engine/failure.ts'
import type { Source } from '../format/format.ts'
import { assertUnchanged, fileNameOf, type Input, oneLine } from '../input/inputs.ts'
import { textIn, unpackedBytes } from '../input/source.ts'
import { type BoundLayout, bindLayout, type FileFacts, lackingFor, sourceFor } from '../layout/bind.ts'
import { isAdded, jsonTable, type Row, rowIn, valueIn } from '../layout/json-table.ts'
import { type Layout, listed } from '../layout/layout.ts'
import { stepsOf } from '../layout/path.ts'
import { defineRules } from '../layout/select.ts'
import { chunkBuffer } from '../rows/chunks.ts'
import { BROKEN_MAX, flushRecords } from '../rows/flush.ts'
import type { Reading } from '../rows/reading.ts'
import { brokenRecord } from '../rows/rejects.ts'
import { recordFile } from '../rows/tables.ts'
import { documentIn, type Looked, lookAtJson } from './documents.ts'
import { notRead } from './json.ts'
import { layoutRows } from './layout-rows.ts'
import { withoutMark } from './rows.ts'

const COMMA = 44

/**
 * Reads a JSON file of one of the import's layouts into the import's tables, row by row; only rows whose columns are
 * arrays are in memory together. Returns the number of rows, or null if no layout fits. Throws Failure `input_refused` if
 * a layout fits but a flag is missing, or if the file is not whole.
 */
export async function readLayoutJson(reading: Reading, number: number, input: Input): Promise<number | null> {
  const { writer, folder, format, layouts, options, canceling, advance } = reading
  const bytes = () => withoutMark(unpackedBytes(input, writer, folder, () => {}))
  const looked = await lookAtJson(bytes)
  if (typeof looked === 'string') {
    // The reader of the format's own names has other shapes.
    if (format.sources.some(({ kinds }) => kinds.includes('json'))) return null
    throw notRead(input, looked)
  }
  const valueAt = valueIn(looked.document)
  for (const layout of layouts.filter(({ file: { kind } }) => kind === 'json')) {
    const source = sourceFor(layout, format)
    const table = source === undefined ? null : jsonTable(looked.document, layout)
    if (source === undefined || table === null) continue
    const facts: FileFacts = {
      names: table.names,
      fileName: fileNameOf(input),
      first: table.first,
      above: [],
      options,
      valueAt,
      firstRow: rowIn(table),
    }
    if (lackingFor(layout, facts)?.length !== 0) continue
    await assertUnchanged(input)
    await recordFile(writer, number, input, [], table.names, layout.name)
    const taker = layoutTaker(reading, number, input, layout, source, facts)
    try {
      if (isSplit(layout, looked)) {
        const scanner = layoutRows(layout, looked, taker.take)
        for await (const chunk of bytes()) {
          canceling.check()
          scanner.push(chunk)
          await taker.drain()
        }
        scanner.end()
      } else {
        const whole = jsonTable(documentIn(await textIn({ ...reading, advance: () => {} }, input)), layout)
        for (const [index, fields] of (whole?.records ?? []).entries())
          taker.take(new Map(whole?.names.map((name, place) => [name, fields[place] ?? null])), index + 1, '')
      }
    } catch (thrown) {
      canceling.check()
      if (thrown instanceof Failure) throw thrown
      throw notRead(input, firstLine(thrown))
    }
    const records = await taker.end()
    advance(input.bytes)
    return records
  }
  return null
}

/** Whether the rows of a layout can be read one by one. Those below `*` have values of the members around them. */
export const isSplit = ({ file: { shape, rows } }: Layout, { isLines }: Looked) =>
  shape !== 'columns' &&
  !(isLines && (shape === 'keyed' || rows !== undefined)) &&
  !listed(rows).some(path => stepsOf(path)?.includes('*'))

const quoted = (text: string | null | undefined) =>
  text === null || text === undefined ? '' : `"${text.replaceAll('"', '""')}"`

/** Takes rows into the raw columns of a source. A column that only later rows have is added when it first appears. */
function layoutTaker(
  reading: Reading,
  number: number,
  input: Input,
  layout: Layout,
  source: Source,
  facts: FileFacts,
) {
  const names = [...facts.names]
  const known = new Set(names)
  const pending: { row: Row; number: number }[] = []
  const broken: string[] = []
  const chunk = chunkBuffer(reading.folder)
  let bound: BoundLayout | undefined
  let records = 0

  async function flush() {
    if (bound === undefined) {
      bound = bindLayout(input.shown, layout, source, { ...facts, names: [...names] })
      await defineRules(reading.writer, bound)
    }
    const header = {
      delimiter: ',' as const,
      width: names.length,
      positions: new Map(),
      unused: [],
      names: [...names],
      bound,
    }
    records += await flushRecords(reading, source, number, header, broken, chunk)
  }
  async function drain() {
    for (const { row, number: line } of pending.splice(0)) {
      const added = [...row.keys()].filter(name => !known.has(name))
      if (added.length > 0) {
        if (!chunk.isEmpty()) await flush()
        bound = undefined
        names.push(...added)
        for (const name of added) known.add(name)
      }
      const record = Buffer.from(names.map(name => quoted(row.get(name))).join(','))
      chunk.add(record, 0, record.length, line, COMMA)
    }
    if (chunk.isFull() || broken.length > BROKEN_MAX) await flush()
  }
  return {
    take(row: Row | string, line: number, text: string): void {
      if (typeof row === 'string') broken.push(brokenRecord(line, row, text))
      else pending.push({ row, number: line })
    },
    drain,
    async end(): Promise<number> {
      await drain()
      await flush()
      await assertUnchanged(input)
      if (records === 0)
        throw new Failure(
          'input_refused',
          `${oneLine(input.shown)} has no rows: download it again, or exclude it`,
        )
      reading.unused(input, bound?.unused.filter(name => !isAdded(name)) ?? [])
      return records
    },
  }
}
