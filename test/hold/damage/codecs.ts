import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { literal, text } from '../../../src/engine/bind.ts'
import { openWriter } from '../../../src/engine/writer.ts'
import { openBase } from '../../../src/lake/publish/base.ts'
import { type Change, publish } from '../../../src/lake/publish/publish.ts'
import { withStaging } from '../../../src/lake/publish/staging.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { readManifest } from '../../../src/lake/store/manifest.ts'
import { entriesOf } from '../../../src/lake/store/record.ts'
import { stagedFile } from '../../../src/lake/store/written-file.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { THREADS } from '../../fixtures/threads.ts'

/** The codecs of Parquet that the engine reads. tapehouse writes the first one; files that it adopts can have any. */
export const CODECS = ['lz4_raw', 'uncompressed', 'snappy', 'gzip', 'zstd', 'brotli'] as const
export type Codec = (typeof CODECS)[number]

/** A generated market in a lake of its own, all of whose files have this codec. */
export async function marketIn(folder: string, codec: Codec): Promise<string> {
  const lake = join(folder, codec)
  cpSync(await sharedMarket('small'), lake, { recursive: true })
  if (codec !== 'lz4_raw') await publishAs(lake, codec)
  return lake
}

/** Publishes all partitions again, in files of another codec with the same rows. */
async function publishAs(lake: string, codec: Codec): Promise<void> {
  const writer = await openWriter({ directories: [lake], threads: THREADS })
  try {
    await withStaging(lake, 'write', async staging => {
      const base = await openBase(lake, staging)
      const changes: Change[] = []
      for (const entry of base.record === null ? [] : entriesOf(base.record)) {
        const manifest = await readManifest(lake, entry)
        const staged = []
        for (const { name, rows, dates, ranges } of manifest.files) {
          const path = join(staging, name.replaceAll('/', '.'))
          await writer.run(
            `COPY (FROM read_parquet(${literal(text(join(lake, name)))}, hive_partitioning = false))
             TO ${literal(text(path))} (FORMAT parquet, COMPRESSION ${codec})`,
          )
          const known = { rows, dates, ranges }
          staged.push(await stagedFile(path, dataset(entry.dataset), entry.partition, known))
        }
        const files = staged.map(({ file }) => file)
        changes.push({ manifest: { ...manifest, files }, staged, absorbs: [] })
      }
      await publish(base, changes)
    })
  } finally {
    writer.close()
  }
  if (!existsSync(join(lake, 'superseded'))) throw new Error(`no file of ${lake} was replaced`)
}
