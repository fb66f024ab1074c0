import { files } from '../../src/engine/bind.ts'
import { openWriter } from '../../src/engine/writer.ts'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'
import { operations } from '../../src/operations/index.ts'
import type { Ask } from './http.ts'

/** Parameters of a request, all of them as text. */
export type Parameters = Readonly<Record<string, string>>

/** Finds parameters of requests in a lake. */
export interface LakeRows {
  /** The rows of a SELECT. `$day` is the last day with option trades; `{dataset}` is the rows of a dataset. */
  find(select: string): Promise<readonly Parameters[]>
  close(): void
}

export async function lakeRows(lake: string): Promise<LakeRows> {
  const snapshot = await loadSnapshot(lake)
  const day = snapshot.lastDate('option_trades')
  const writer = await openWriter({ directories: [lake] })
  return {
    async find(select) {
      const bound: Record<string, ReturnType<typeof files>> = {}
      const sql = select.replace(/\{([a-z_]+)\}/g, (_, dataset: string) => {
        bound[dataset] = files(snapshot.files(dataset).map(({ path }) => path))
        return `read_parquet($${dataset}, hive_partitioning = false)`
      })
      const rows = await writer.rows(sql.replaceAll('$day', `DATE '${day}'`), bound)
      return rows.map(row =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])),
      )
    },
    close: () => writer.close(),
  }
}

/** The request to tapehouse: parameters that are not in its path are its query. */
export function askUs(id: string, parameters: Parameters, token: string): Ask {
  const found = operations.find(each => each.id === id)
  if (found === undefined) throw new Error(`no operation ${id}`)
  const left = new Map(Object.entries(parameters))
  const path = found.path.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const value = left.get(name) ?? ''
    left.delete(name)
    return encodeURIComponent(value)
  })
  return {
    path: `${path}?${new URLSearchParams([...left])}`,
    headers: { authorization: `Bearer ${token}` },
  }
}
