import { Failure } from '../../../engine/failure.ts'
import { assertUnchanged, fileNameOf, type Input, oneLine } from '../input/inputs.ts'
import { textIn } from '../input/source.ts'
import { bindLayout, type FileFacts, lackingFor, sourceFor } from '../layout/bind.ts'
import { isAdded, jsonTable, rowIn, valueIn } from '../layout/json-table.ts'
import { defineRules } from '../layout/select.ts'
import { chunkBuffer } from '../rows/chunks.ts'
import { flushRecords } from '../rows/flush.ts'
import type { Header } from '../rows/header.ts'
import type { Reading } from '../rows/reading.ts'
import { recordFile } from '../rows/tables.ts'

const COMMA = 44

/**
 * Reads a JSON document of one of the import's layouts into the import's tables. Returns its number of rows, or null if no
 * layout fits. Throws Failure `input_refused` if a layout fits but a flag is missing.
 */
export async function readLayoutJson(reading: Reading, number: number, input: Input): Promise<number | null> {
  const { writer, folder, format, layouts, options } = reading
  const document = documentIn(await textIn({ ...reading, advance: () => {} }, input))
  if (document === undefined) return null
  const valueAt = valueIn(document)
  for (const layout of layouts.filter(({ file: { kind } }) => kind === 'json')) {
    const source = sourceFor(layout, format)
    const table = source === undefined ? null : jsonTable(document, layout)
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
    const bound = bindLayout(input.shown, layout, source, facts)
    await recordFile(writer, number, input, [], table.names)
    await defineRules(writer, bound)
    const header: Header = {
      delimiter: ',',
      width: table.names.length,
      positions: new Map(),
      unused: [],
      names: table.names,
      bound,
    }
    const chunk = chunkBuffer(folder)
    let records = 0
    for (const [index, fields] of table.records.entries()) {
      const record = Buffer.from(fields.map(quoted).join(','))
      chunk.add(record, 0, record.length, index + 1, COMMA)
      if (chunk.isFull()) records += await flushRecords(reading, source, number, header, [], chunk)
    }
    records += await flushRecords(reading, source, number, header, [], chunk)
    if (records === 0)
      throw new Failure(
        'input_refused',
        `${oneLine(input.shown)} has no rows: download it again, or exclude it`,
      )
    reading.advance(input.bytes)
    reading.unused(
      input,
      bound.unused.filter(name => !isAdded(name)),
    )
    return records
  }
  return null
}

const quoted = (text: string | null) => (text === null ? '' : `"${text.replaceAll('"', '""')}"`)

/** The document, or the list of the documents of JSON lines; undefined if the text is neither. */
export function documentIn(content: string): unknown {
  const parse = (text: string): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }
  const whole = parse(content)
  if (whole !== undefined) return whole
  const lines = content.split('\n').filter(line => line.trim() !== '')
  const documents = lines.map(parse)
  return documents.includes(undefined) ? undefined : documents
}
