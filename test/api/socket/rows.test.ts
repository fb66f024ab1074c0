import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, fromJson } from '@bufbuild/protobuf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FlowAlertSchema } from '../../../src/stream/tapehouse_pb.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { goldenLake } from '../../golden/lake.ts'
import { connect, type SocketServer, socketServer } from './clients.ts'

/** The messages for the few rows of the folder `lake`. The expected values are worked out by hand. */

const folder = temporaryFolder()
let server: SocketServer
beforeAll(async () => {
  const source = fileURLToPath(new URL('./lake', import.meta.url))
  const { snapshot, engine } = await goldenLake(source, folder)
  await engine.close()
  server = await socketServer(folder, snapshot.lake)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** 9:30 to 10:05 takes 0.6 s at the speed of the tests: this time is in the pause after it. */
const DAY_OVER_MS = 2000

/** A client that joins before the tape starts. */
async function joined(name: string, protocols: readonly string[] = []) {
  server.elapse(0)
  const client = await connect(server, { protocols })
  await client.join(name)
  return client
}

test('a trade in several alerts refers to the earliest one, and to the lowest id among those of the same time', async () => {
  const client = await joined('option_trades')
  server.elapse(DAY_OVER_MS)
  await client.until(() => client.data('option_trades').length >= 4)
  const id = (last: number) => `00000000-0000-5000-8000-00000000000${last}`
  expect(
    client.data('option_trades').map(({ size, flow_alert_id, rule_id }) => [size, flow_alert_id, rule_id]),
  ).toEqual([
    // Its alert of 15:00:02 has a lower id.
    [20, id(9), 'FloorTradeSmallCap'],
    // In two alerts of 15:00:01, and in one of 15:00:02 with a lower id.
    [40, id(3), 'LowHistoricVolumeFloor'],
    [60, id(2), 'RepeatedHits'],
    [1, null, null],
  ])
})

const CONTRACT = {
  ticker: 'ACME',
  option_chain: 'ACME240119C00100000',
  type: 'call',
  strike: '100.000',
  expiry: '2024-01-19',
  expiry_count: 1,
}
/** The alert of 15:00:02.345678, which has all values, and that of 15:00:00, which has nulls. */
const FULL = {
  ...CONTRACT,
  alert_rule: 'RepeatedHits',
  issue_type: 'Common Stock',
  created_at: 1_704_466_802_345,
  price: '1.2500',
  underlying_price: '98.5000',
  open_interest: 5000,
  volume: 3000,
  volume_oi_ratio: '0.6000000000',
  total_size: 120,
  trade_count: 3,
  total_premium: '14600.5000',
  total_ask_side_prem: '12300.0000',
  total_bid_side_prem: '2300.5000',
  all_opening_trades: false,
  has_floor: false,
  has_sweep: true,
  has_multileg: false,
  has_singleleg: true,
}
const SPARSE = {
  ...CONTRACT,
  alert_rule: 'FloorTradeSmallCap',
  issue_type: null,
  created_at: 1_704_466_800_000,
  price: '1.1500',
  underlying_price: null,
  open_interest: null,
  volume: 20,
  volume_oi_ratio: '20.0000000000',
  total_size: 20,
  trade_count: 1,
  total_premium: '2300.0000',
  total_ask_side_prem: '0.0000',
  total_bid_side_prem: '0.0000',
  all_opening_trades: true,
  has_floor: true,
  has_sweep: false,
  has_multileg: false,
  has_singleleg: true,
}

test('an alert has all its fields, and the protobuf runtime parses the JSON to the same message', async () => {
  const [json, binary] = [await joined('flow_alerts'), await joined('flow_alerts', ['protobuf'])]
  server.elapse(DAY_OVER_MS)
  await json.until(() => json.data('flow_alerts').length >= 4 && binary.frames.length >= 5)
  const alerts = json.data('flow_alerts')
  expect(alerts.map(({ alert_rule }) => alert_rule)).toEqual([
    'FloorTradeSmallCap',
    'LowHistoricVolumeFloor',
    'OtmEarningsFloor',
    'RepeatedHits',
  ])
  expect([alerts[0], alerts[3]]).toEqual([SPARSE, FULL])
  const read = alerts.map(each => fromJson(FlowAlertSchema, each as never))
  expect(read[0]).toEqual(
    create(FlowAlertSchema, {
      alertRule: 'FloorTradeSmallCap',
      ticker: 'ACME',
      optionChain: 'ACME240119C00100000',
      type: 'call',
      strike: '100.000',
      expiry: '2024-01-19',
      expiryCount: 1,
      createdAt: 1_704_466_800_000n,
      price: '1.1500',
      volume: 20n,
      volumeOiRatio: '20.0000000000',
      totalSize: 20n,
      tradeCount: 1,
      totalPremium: '2300.0000',
      totalAskSidePrem: '0.0000',
      totalBidSidePrem: '0.0000',
      allOpeningTrades: true,
      hasFloor: true,
      hasSingleleg: true,
    }),
  )
  const frames = binary.frames.flatMap(({ payload }) => (payload.case === 'flowAlert' ? [payload.value] : []))
  expect(frames).toEqual(read)
})
