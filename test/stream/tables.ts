import { DuckDBInstance } from '@duckdb/node-api'
import type { Table } from 'apache-arrow'
import { arrowTable } from '../../src/engine/arrow/arrow.ts'

/** A query's answer as the Arrow table that the engine makes of it. */
export async function tableOf(sql: string): Promise<Table> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  try {
    return arrowTable(await connection.run(sql))
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** The values of one frag by column, each as its SQL text; `chain_frags` has these types. */
export interface FragText {
  readonly option_symbol: string
  readonly start_time: bigint
  readonly tape_time: bigint
  readonly [column: string]: string | bigint | null
}

const DECIMALS: Readonly<Record<string, string>> = {
  premium: 'DECIMAL(18, 4)',
  high: 'DECIMAL(18, 4)',
  low: 'DECIMAL(18, 4)',
  open: 'DECIMAL(18, 4)',
  close: 'DECIMAL(18, 4)',
  iv: 'DECIMAL(18, 10)',
  avg_price: 'DECIMAL(18, 10)',
  underlying_price: 'DECIMAL(18, 4)',
  total_premium: 'DECIMAL(18, 4)',
  delta: 'DECIMAL(18, 10)',
  gamma: 'DECIMAL(18, 10)',
}

/** Columns of a frag in the order of their numbers. */
export const FRAG_COLUMNS = [
  ...['option_symbol', 'start_time', 'tape_time', 'volume', 'total_volume', 'open_interest', 'premium'],
  ...['ask_side_volume', 'bid_side_volume', 'floor_volume', 'high', 'low', 'open', 'close', 'iv', 'trades'],
  ...['avg_price', 'mid_volume', 'sweep_volume', 'cross_volume', 'stock_multi_leg_volume', 'no_side_vol'],
  ...['multileg_volume', 'underlying_price', 'total_premium', 'total_ask_side_volume'],
  ...['total_bid_side_volume', 'total_mid_volume', 'total_stock_multi_leg_volume', 'total_neutral_volume'],
  ...['total_multileg_volume', 'delta', 'gamma'],
]

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

function literalOf(column: string, value: string | bigint | null | undefined): string {
  const type = column === 'option_symbol' ? 'VARCHAR' : (DECIMALS[column] ?? 'BIGINT')
  return value === null || value === undefined ? `NULL::${type}` : `${quoted(String(value))}::${type}`
}

/** A table of frags as the templates of a replay answer it: the columns backwards, since names join them. */
export function fragTable(frags: readonly FragText[]): Promise<Table> {
  const selects = frags.map(frag => {
    const columns = FRAG_COLUMNS.toReversed().map(name => `${literalOf(name, frag[name])} AS ${name}`)
    return `SELECT ${frag.start_time + 300_000n}::BIGINT AS due_ms, ${columns.join(', ')}`
  })
  return tableOf(selects.join('\nUNION ALL\n'))
}
