import { create, fromBinary, fromJsonString, isFieldSet, toBinary, toJsonString } from '@bufbuild/protobuf'
import type { Table } from 'apache-arrow'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newWire, written } from '../../src/engine/text/wire.ts'
import { columnsOf, type MessageKind, messagesOf } from '../../src/stream/messages.ts'
import {
  type ChainFrag,
  ChainFragSchema,
  FlowAlertSchema,
  OptionTradeSchema,
} from '../../src/stream/tapehouse_pb.ts'
import { randomRuns } from '../fixtures/tier.ts'
import { FRAG_COLUMNS, type FragText, fragTable, tableOf } from './tables.ts'

const messagesIn = (kind: MessageKind, table: Table) => messagesOf(columnsOf(kind, table))

/** Text of `scale` places in the range of a DECIMAL(18, scale), with all its places. */
const decimal = (scale: number) =>
  fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }).map(units => {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
    return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  })
const int32 = fc.oneof(
  fc.constantFrom(0n, 1n, 127n, 128n, -1n, 2n ** 31n - 1n, -(2n ** 31n)),
  fc.bigInt({ min: -(2n ** 31n), max: 2n ** 31n - 1n }),
)
const int64 = fc.oneof(
  fc.constantFrom(0n, 2n ** 28n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), -1n),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
)
const tapeTime = fc.bigInt({ min: 0n, max: 4_000_000_000_000n })
const INT64 = ['volume', 'total_volume']
const FOUR_PLACES = ['premium', 'high', 'low', 'open', 'close', 'total_premium']

const fragText: fc.Arbitrary<FragText> = fc.record(
  Object.fromEntries(
    FRAG_COLUMNS.map(name => {
      if (name === 'option_symbol')
        return [name, fc.constantFrom('ACME240119C00190000', 'É"\\\n<>', 'A', 'x'.repeat(300))]
      if (name === 'start_time' || name === 'tape_time') return [name, tapeTime]
      if (name === 'open_interest') return [name, fc.option(int32)]
      if (FOUR_PLACES.includes(name)) return [name, decimal(4)]
      if (name === 'underlying_price') return [name, fc.option(decimal(4))]
      if (name === 'avg_price') return [name, decimal(10)]
      if (['iv', 'delta', 'gamma'].includes(name)) return [name, fc.option(decimal(10))]
      return [name, INT64.includes(name) ? int64 : int32]
    }),
  ),
) as fc.Arbitrary<never>

/** The message that the protobuf runtime makes of the same values. */
function referenceOf(frag: FragText): ChainFrag {
  const values = ChainFragSchema.fields.flatMap(field => {
    const value = frag[field.name]
    if (value === null || value === undefined) return []
    const isInt32 = typeof value === 'bigint' && field.fieldKind === 'scalar' && field.scalar === 5
    return [[field.localName, isInt32 ? Number(value) : value]]
  })
  return create(ChainFragSchema, Object.fromEntries(values))
}

describe('a frag', () => {
  test('is on the wire what the protobuf runtime writes and reads, and in ProtoJSON too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fragText, { minLength: 1, maxLength: 20 }), async frags => {
        const messages = messagesIn('chain_frags', await fragTable(frags))
        expect(messages.rows).toBe(frags.length)
        frags.forEach((frag, row) => {
          const reference = referenceOf(frag)
          const bytes = messages.protobuf(row)
          expect(Buffer.from(bytes)).toEqual(Buffer.from(toBinary(ChainFragSchema, reference)))
          expect(fromBinary(ChainFragSchema, bytes)).toEqual(reference)
          const wire = newWire(8)
          messages.append('json', wire, row)
          const line = Buffer.from(written(wire)).toString()
          expect(line).toBe(`${toJsonString(ChainFragSchema, reference)}\n`)
        })
      }),
      { numRuns: randomRuns(15) },
    )
  })

  test('is JSON on the socket by the columns’ names, with numbers for integers, text for decimals and null', async () => {
    const frag = Object.fromEntries(FRAG_COLUMNS.map(name => [name, 7n]))
    const table = await fragTable([
      {
        ...frag,
        option_symbol: 'ACME240119C00190000',
        start_time: 1_705_674_600_000n,
        tape_time: 1_705_674_899_123n,
        open_interest: null,
        premium: '-0.05',
        iv: null,
        avg_price: '1234567.1',
        total_premium: '12345678901234.5678',
        delta: '-0.0000000001',
        no_side_vol: 0n,
      },
    ])
    expect(messagesIn('chain_frags', table).json(0)).toBe(
      '{"option_symbol":"ACME240119C00190000","start_time":1705674600000,"tape_time":1705674899123,' +
        '"volume":7,"total_volume":7,"open_interest":null,"premium":"-0.0500","ask_side_volume":7,' +
        '"bid_side_volume":7,"floor_volume":7,"high":"7.0000","low":"7.0000","open":"7.0000","close":"7.0000",' +
        '"iv":null,"trades":7,"avg_price":"1234567.1000000000","mid_volume":7,"sweep_volume":7,' +
        '"cross_volume":7,"stock_multi_leg_volume":7,"no_side_vol":0,"multileg_volume":7,' +
        '"underlying_price":"7.0000","total_premium":"12345678901234.5678","total_ask_side_volume":7,' +
        '"total_bid_side_volume":7,"total_mid_volume":7,"total_stock_multi_leg_volume":7,' +
        '"total_neutral_volume":7,"total_multileg_volume":7,"delta":"-0.0000000001","gamma":"7.0000000000"}',
    )
  })

  test('has the time at which it is due', async () => {
    const at = (start: bigint) => ({ option_symbol: 'A', start_time: start, tape_time: start })
    const messages = messagesIn('chain_frags', await fragTable([at(0n), at(1_705_674_600_000n)]))
    expect([...messages.dueMs]).toEqual([300_000, 1_705_674_900_000])
  })

  test.each([2n ** 31n, -(2n ** 31n) - 1n, 2n ** 40n])(
    'with %d contracts in a field of 32 bits is rejected with its contract and the field’s name',
    async value => {
      const frag = { option_symbol: 'ACME240119C00190000', start_time: 0n, tape_time: 0n }
      const messages = messagesIn('chain_frags', await fragTable([{ ...frag, cross_volume: value }]))
      const message = new RegExp(`^ACME240119C00190000: cross_volume ${value} does not fit in the 32 bits`)
      expect(() => messages.protobuf(0)).toThrow(message)
      expect(() => messages.json(0)).toThrow(message)
    },
  )

  test('of a row in a later batch is that row', async () => {
    const columns = FRAG_COLUMNS.map(name => {
      if (name === 'option_symbol') return "'C' || i AS option_symbol"
      return `i::${['premium', 'high', 'low', 'open', 'close', 'iv', 'avg_price', 'underlying_price', 'total_premium', 'delta', 'gamma'].includes(name) ? 'DECIMAL(18, 4)' : 'BIGINT'} AS ${name}`
    })
    const sql = `SELECT i::BIGINT AS due_ms, ${columns.join(', ')} FROM range(5000) r(i)`
    const messages = messagesIn('chain_frags', await tableOf(sql))
    for (const row of [0, 2047, 2048, 4999, 3, 4095]) {
      const { optionSymbol, volume, gamma } = fromBinary(ChainFragSchema, messages.protobuf(row))
      expect([optionSymbol, volume, gamma]).toEqual([`C${row}`, BigInt(row), `${row}.0000`])
      expect(messages.dueMs[row]).toBe(row)
    }
    expect(() => messages.protobuf(5000)).toThrow('there is no row 5000')
  })
})

describe('a table', () => {
  test('without a field’s column is rejected with its name', async () => {
    const table = await tableOf('SELECT 1::BIGINT AS due_ms')
    expect(() => columnsOf('chain_frags', table)).toThrow('no column "option_symbol"')
  })

  test('with a column that its field cannot hold is rejected with its name', async () => {
    const columns = FRAG_COLUMNS.map(name => `2 AS ${name}`)
    const messages = messagesIn('chain_frags', await tableOf(`SELECT 1::BIGINT AS due_ms, ${columns}`))
    expect(() => messages.protobuf(0)).toThrow(
      'column "option_symbol" is integer, which a field of type string cannot hold',
    )
  })

  test.each(["'x'", '1.5::DECIMAL(4, 1)', '1.5::DOUBLE'])('with a due time of %s is rejected', async due => {
    const table = await tableOf(`SELECT ${due} AS due_ms`)
    expect(() => columnsOf('chain_frags', table)).toThrow('column "due_ms"')
  })

  test('without rows has no messages', async () => {
    const messages = messagesIn('chain_frags', await tableOf('SELECT 1::BIGINT AS due_ms LIMIT 0'))
    expect([messages.rows, messages.dueMs.length]).toEqual([0, 0])
  })
})

describe('a flow alert', () => {
  test('is ProtoJSON without false values, which the protobuf runtime reads', async () => {
    const messages = messagesIn(
      'flow_alerts',
      await tableOf(`SELECT 1::BIGINT AS due_ms, 'RepeatedHits' AS alert_rule, 'ACME' AS ticker,
        'ACME240119C00100000' AS option_chain, 'call' AS type, 100::DECIMAL(18, 3) AS strike,
        '2024-01-19' AS expiry, 1::INTEGER AS expiry_count, NULL::VARCHAR AS issue_type,
        1704466802345::BIGINT AS created_at, 1.25::DECIMAL(18, 4) AS price,
        NULL::DECIMAL(18, 4) AS underlying_price, 0::BIGINT AS open_interest, 3000::BIGINT AS volume,
        3000::DECIMAL(18, 10) AS volume_oi_ratio, 120::BIGINT AS total_size, 3::INTEGER AS trade_count,
        14600.5::DECIMAL(18, 4) AS total_premium, 12300::DECIMAL(18, 4) AS total_ask_side_prem,
        2300.5::DECIMAL(18, 4) AS total_bid_side_prem, true AS all_opening_trades, false AS has_floor,
        true AS has_sweep, false AS has_multileg, true AS has_singleleg`),
    )
    const wire = newWire(8)
    messages.append('json', wire, 0)
    const line = Buffer.from(written(wire)).toString()
    expect(line).toBe(
      '{"alertRule":"RepeatedHits","ticker":"ACME","optionChain":"ACME240119C00100000","type":"call",' +
        '"strike":"100.000","expiry":"2024-01-19","expiryCount":1,"createdAt":"1704466802345","price":"1.2500",' +
        '"openInterest":"0","volume":"3000","volumeOiRatio":"3000.0000000000","totalSize":"120","tradeCount":3,' +
        '"totalPremium":"14600.5000","totalAskSidePrem":"12300.0000","totalBidSidePrem":"2300.5000",' +
        '"allOpeningTrades":true,"hasSweep":true,"hasSingleleg":true}\n',
    )
    const read = fromJsonString(FlowAlertSchema, line)
    expect(fromBinary(FlowAlertSchema, messages.protobuf(0))).toEqual(read)
    expect([read.createdAt, read.openInterest, read.hasFloor]).toEqual([1704466802345n, 0n, false])
    expect(isFieldSet(read, FlowAlertSchema.field.issueType)).toBe(false)
  })
})

/** Columns of an option trade by name, as SQL. */
function tradeColumns(values: Readonly<Record<string, string>>): string {
  return OptionTradeSchema.fields
    .map(field => {
      const list = field.fieldKind === 'list'
      const scalar = field.fieldKind === 'scalar' ? field.scalar : 9
      const type = list ? 'VARCHAR[]' : scalar === 8 ? 'BOOLEAN' : scalar === 9 ? 'VARCHAR' : 'BIGINT'
      const absent = field.presence === 1 ? 'NULL' : list ? '[]' : scalar === 9 ? "''" : '0'
      return `${values[field.name] ?? `${absent}::${type}`} AS ${field.name}`
    })
    .join(', ')
}

describe('an option trade', () => {
  test('has lists and booleans, and distinguishes empty text from unknown values', async () => {
    const columns = tradeColumns({
      option_chain_id: "'ACME240119C00190000'",
      tags: "['ask_side', 'é\"']",
      report_flags: 'NULL::VARCHAR[]',
      canceled: 'true',
      exchange: "''",
      price: '0.35::DECIMAL(18, 4)',
      open_interest: '0::BIGINT',
      size: '3::INTEGER',
    })
    const sql = `SELECT 1::BIGINT AS due_ms, ${columns}
      UNION ALL SELECT 2, ${tradeColumns({ tags: "['bid_side']", price: '0::DECIMAL(18, 4)' })}`
    const messages = messagesIn('option_trades', await tableOf(sql))
    const first = create(OptionTradeSchema, {
      optionChainId: 'ACME240119C00190000',
      tags: ['ask_side', 'é"'],
      canceled: true,
      exchange: '',
      price: '0.3500',
      openInterest: 0n,
      size: 3n,
    })
    const second = create(OptionTradeSchema, { tags: ['bid_side'], price: '0.0000' })
    expect(fromBinary(OptionTradeSchema, messages.protobuf(0))).toEqual(first)
    expect(Buffer.from(messages.protobuf(0))).toEqual(Buffer.from(toBinary(OptionTradeSchema, first)))
    expect(Buffer.from(messages.protobuf(1))).toEqual(Buffer.from(toBinary(OptionTradeSchema, second)))
    expect(JSON.parse(messages.json(0))).toMatchObject({
      tags: ['ask_side', 'é"'],
      report_flags: [],
      canceled: true,
      is_agg: false,
      exchange: '',
      price: '0.3500',
      open_interest: 0,
      size: 3,
      nbbo_bid: null,
    })
  })
})
