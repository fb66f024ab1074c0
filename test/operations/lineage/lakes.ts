import { rmSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { type PerturbedLake, perturbedLake } from './perturbed-lake.ts'

export interface Lakes {
  /** The lake of a folder of golden cases, made when it is first needed. */
  lakeOf(source: string): Promise<PerturbedLake>
  close(): Promise<void>
}

/** Golden lakes whose columns can be changed. */
export async function openLakes(): Promise<Lakes> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const folder = temporaryFolder()
  const lakes = new Map<string, Promise<PerturbedLake>>()
  return {
    lakeOf(source) {
      const lake = lakes.get(source) ?? perturbedLake(source, `${folder}/${lakes.size}`, connection)
      lakes.set(source, lake)
      return lake
    },
    async close() {
      for (const lake of lakes.values()) await (await lake).engine.close()
      connection.closeSync()
      instance.closeSync()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
