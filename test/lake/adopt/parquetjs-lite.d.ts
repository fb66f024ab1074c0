/** What these tests use of parquetjs-lite, which has no types of its own. */
declare module 'parquetjs-lite' {
  interface RowWriter {
    appendRow(row: Record<string, unknown>): Promise<void>
    close(): Promise<void>
  }
  const parquetjs: {
    ParquetSchema: new (columns: Record<string, { type: string; optional?: boolean }>) => object
    ParquetWriter: { openFile(schema: object, path: string): Promise<RowWriter> }
  }
  export default parquetjs
}
