import { join } from 'node:path'
import { fromBinary } from '@bufbuild/protobuf'
import { literal, text } from '../../src/engine/bind.ts'
import { type Engine, openEngine } from '../../src/engine/engine.ts'
import { openWriter } from '../../src/engine/writer.ts'
import { dataset } from '../../src/lake/store/datasets.ts'
import { type LakeFile, loadSnapshot, type Snapshot } from '../../src/lake/store/snapshot.ts'
import { type FragTape, loadSlice } from '../../src/stream/frag-tape.ts'
import { type MessageColumns, writerOf } from '../../src/stream/messages.ts'
import type { Slice } from '../../src/stream/slices.ts'
import { type ChainFrag, ChainFragSchema } from '../../src/stream/tapehouse_pb.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { snapshotWith } from '../fixtures/snapshot.ts'
import { type Row, rowsAsSql } from '../sql/derive/rows-as-sql.ts'

/** A generated lake and an engine that reads it. */
export interface FragLake {
  readonly lake: string
  readonly snapshot: Snapshot
  /** The lake's last day. */
  readonly day: string
  readonly engine: Engine
  close(): Promise<void>
}

export async function fragLake(): Promise<FragLake> {
  const lake = await sharedMarket('whole')
  const snapshot = await loadSnapshot(lake)
  const engine = await openEngine(
    {
      lake,
      threads: 2,
      memoryBytesMax: 1024 ** 3,
      temporaryBytesMax: 0,
      leasesMax: 2,
      queueMax: 2,
      schemaOf: dataset,
    },
    () => {},
  )
  return {
    lake,
    snapshot,
    day: snapshot.lastDate('chain_frags') ?? '',
    engine,
    close: () => engine.close(),
  }
}

/** A slice's messages, as the protobuf runtime reads them. */
export async function fragsIn(
  { snapshot, engine }: FragLake,
  tape: FragTape,
  slice: Slice,
): Promise<ChainFrag[]> {
  return fragsOf(await loadSlice(tape, slice, snapshot, engine, new AbortController().signal))
}

export function fragsOf(columns: MessageColumns): ChainFrag[] {
  const writer = writerOf(columns)
  return Array.from({ length: columns.rows }, (_, row) => fromBinary(ChainFragSchema, writer.protobuf(row)))
}

/** A snapshot of these rows, whose file has them in this order, and an engine that reads it. */
export async function storedRows(rows: Readonly<Record<string, readonly Row[]>>) {
  const folder = folderForTest()
  const writer = await openWriter({ directories: [folder] })
  const pathOf = (name: string) => join(folder, `${name}.parquet`)
  for (const [name, values] of Object.entries(rows)) {
    const columns = dataset(name).columns.map(column => `"${column.name}" ${column.type}`)
    await writer.run(`CREATE TABLE ${name} (${columns.join(', ')})`)
    await writer.run(`INSERT INTO ${name} BY NAME (${rowsAsSql(values)})`)
    await writer.run(`COPY ${name} TO ${literal(text(pathOf(name)))} (FORMAT parquet)`)
  }
  writer.close()
  const snapshot = snapshotWith({ lake: folder, files: name => [{ path: pathOf(name) } as LakeFile] })
  const engine = await openEngine(
    {
      lake: folder,
      threads: 1,
      memoryBytesMax: 2 ** 28,
      temporaryBytesMax: 0,
      leasesMax: 1,
      queueMax: 1,
      schemaOf: dataset,
    },
    () => {},
  )
  return { snapshot, engine }
}
