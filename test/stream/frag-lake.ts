import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fromBinary } from '@bufbuild/protobuf'
import { type Engine, openEngine } from '../../src/engine/engine.ts'
import { openWriter } from '../../src/engine/writer.ts'
import { datasets } from '../../src/lake/datasets.ts'
import { generate } from '../../src/lake/generate.ts'
import { loadSnapshot, type Snapshot } from '../../src/lake/snapshot.ts'
import { type FragTape, loadSlice } from '../../src/stream/frag-tape.ts'
import type { Slice } from '../../src/stream/slices.ts'
import { type ChainFrag, ChainFragSchema } from '../../src/stream/tapehouse_pb.ts'
import { temporaryFolder } from '../fixtures/lake.ts'

/** A lake with a made market, and an engine that reads it. */
export interface FragLake {
  readonly lake: string
  readonly snapshot: Snapshot
  /** The lake's last day. */
  readonly day: string
  readonly engine: Engine
  close(): Promise<void>
}

export async function fragLake(tradesPerDay: number): Promise<FragLake> {
  const folder = temporaryFolder()
  const lake = join(folder, 'lake')
  const writer = await openWriter({ directories: [lake] })
  await generate(writer, lake, { seed: 11, days: 2, tickers: 6, tradesPerDay }, () => {})
  writer.close()
  const snapshot = await loadSnapshot(lake)
  const engine = await openEngine(
    {
      lake,
      threads: 2,
      memoryBytesMax: 1024 ** 3,
      temporaryBytesMax: 0,
      leasesMax: 2,
      queueMax: 2,
      schemas: [...datasets().values()],
    },
    () => {},
  )
  return {
    lake,
    snapshot,
    day: snapshot.lastDate('chain_frags') ?? '',
    engine,
    async close() {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A slice's messages, as the protobuf runtime reads them. */
export async function fragsIn(
  { snapshot, engine }: FragLake,
  tape: FragTape,
  slice: Slice,
): Promise<ChainFrag[]> {
  const messages = await loadSlice(tape, slice, snapshot, engine, new AbortController().signal)
  return Array.from({ length: messages.rows }, (_, row) =>
    fromBinary(ChainFragSchema, messages.protobuf(row)),
  )
}
