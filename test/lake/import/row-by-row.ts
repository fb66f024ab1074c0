import parquetjs from 'parquetjs-lite'

/** Writes daily bars as parquetjs-lite does: no decimals, statistics ordered by UTF-16 units, none of them exact. */
export async function writeRowByRow(
  path: string,
  rows: readonly { ticker: string; date: string; close: number; volume: number | null }[],
): Promise<void> {
  const price = { type: 'DOUBLE', optional: true }
  const schema = new parquetjs.ParquetSchema({
    ticker: { type: 'UTF8' },
    date: { type: 'DATE' },
    open: price,
    high: price,
    low: price,
    close: { type: 'DOUBLE' },
    adjusted_close: price,
    volume: { type: 'INT64', optional: true },
  })
  const writer = await parquetjs.ParquetWriter.openFile(schema, path)
  for (const row of rows) await writer.appendRow({ ...row, date: new Date(row.date) })
  await writer.close()
}
