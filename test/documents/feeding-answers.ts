import { expect } from 'vitest'

/**
 * What the command of docs/feeding.md makes each operation answer, worked out by hand from the sample. `count` is the
 * number of records, and `record` has key figures of one of them.
 */
export interface FedAnswer {
  /** The parameters of the request, as flags of `tapehouse query`. */
  readonly request: string
  readonly count: number
  readonly record: Readonly<Record<string, unknown>>
}

export const FED_ANSWERS: Readonly<Record<string, FedAnswer>> = {
  alerts: {
    request: '',
    count: 10,
    record: {
      ...{ name: 'Acme moves', symbol: 'ACME', created_at: '2024-03-04T14:30:01.250Z' },
      meta: { price: '50.25', change_perc: '0.0250' },
    },
  },
  // Adjusted closes: 39.90235 / 40.3062 − 1 = −0.41 / 40.92, and the trough 39.4394 / 40.3062 − 1 = −0.88 / 40.92.
  'analytics-window': {
    request: '--symbols ACME --range full --calculations CUMULATIVE_RETURN,MAX_DRAWDOWN',
    count: 1,
    record: {
      meta: {
        ...{ symbols: 'ACME', min_dt: '2024-03-01', max_dt: '2024-03-14', ohlc: 'Close', interval: 'DAILY' },
        ...{ adjusted_for: { ACME: 'splits_and_dividends' }, suspected_splits: [] },
      },
      payload: {
        RETURNS_CALCULATIONS: {
          CUMULATIVE_RETURN: { ACME: near(-0.0100195503421) },
          MAX_DRAWDOWN: {
            ACME: {
              max_drawdown: near(-0.0215053763441),
              drawdown_range: { start_drawdown: '2024-03-01', end_drawdown: '2024-03-12' },
            },
          },
        },
      },
    },
  },
  'cash-flows': {
    request: '--ticker ACME',
    count: 6,
    record: {
      ...{ fiscal_date_ending: '2023-12-31', report_type: 'annual', net_income: '40027000.00' },
      ...{ operating_cashflow: '40001000.00', proceeds_from_operating_activities: null },
    },
  },
  // 46 and 50 days after the trade; the others within 45.
  'congress-late-reports': {
    request: '',
    count: 2,
    record: {
      ...{ name: 'Adele Ambershaw', ticker: 'FIR.B', txn_type: 'Sell', amounts: '$250,001 - $500,000' },
      ...{ transaction_date: '2021-04-30', filed_at_date: '2021-06-15' },
    },
  },
  'congress-politicians': {
    request: '',
    count: 3,
    record: {
      ...{ name: 'Adele Ambershaw', ticker: 'ACME', txn_type: 'Sell (partial)' },
      ...{ transaction_date: '2021-05-28', filed_at_date: '2021-06-15' },
    },
  },
  // Four trades of the one file and five of the other. The bid is 2.40 and the ask 2.50, so that 2.41 is on the bid.
  'contract-flow': {
    request: '--id ACME240119C00100000',
    count: 9,
    record: {
      ...{ executed_at: '2024-01-03T14:30:04.990310Z', price: '2.4100', size: 3, premium: '723.0000' },
      ...{ exchange: 'XPHL', bid_vol: 3, ask_vol: 0, open_interest: 1200, canceled: false },
    },
  },
  'contract-volume-profile': {
    request: '--id ACME240119C00100000',
    count: 5,
    record: { price: '2.4100', date: '2024-01-03', volume: 6, transactions: 2, bid_vol: 3, ask_vol: 0 },
  },
  'crypto-ohlc': {
    request: '--pair SOL-USD --candle-size 1d',
    count: 5,
    record: {
      ...{ start_time: '2024-03-05T00:00:00Z', timestamp: '2024-03-06T00:00:00Z' },
      ...{ open: '132.8000000000', high: '139.4000000000', low: '118.2000000000', close: '124.3000000000' },
      volume: '2500.75000000',
    },
  },
  // 100.00: 100 + 100 on N and 20 at 100.005 on Q; 30 at 100.004 on D, which is FINRA's facility.
  'darkpool-price-levels': {
    request: '--ticker ACME --date 2024-03-04',
    count: 3,
    record: { price: '100.00', dark_pool_volume: 30, regular_volume: 220 },
  },
  // The mean of four quarters: (20100.5 + 20200.25 + 20450.125 + 20600) / 4.
  economy: {
    request: '--indicator gdp',
    count: 1,
    record: { date: '2023-01-01', value: 20337.71875 },
  },
  'etf-holdings': {
    request: '--ticker OAKS',
    count: 12,
    record: { ticker: 'ACME', name: 'ACME WORKS INC', weight: '24.000000', shares: 200000 },
  },
  'etf-info': {
    request: '--ticker OAKS',
    count: 1,
    record: {
      ...{ name: 'Oakshares Core Made-up ETF', etf_company: 'Oakshares', inception_date: '2010-05-04' },
      ...{ expense_ratio: '0.0300', holdings_count: 12, aum: '100000000.00', has_options: true },
    },
  },
  // Contributions of Acme: 5000 + 2500 − 1000 to candidates, 15000 to a party, a refund of 500; 5000 to another committee.
  'fec-companies': {
    request: '',
    count: 3,
    record: {
      ...{ ticker: 'ACME', cycle: 2024, pac_total: '21000.00', pac_dem_total: '19000.00' },
      ...{ pac_rep_total: '2000.00', other_total: '5000.00' },
    },
  },
  // Six trades within 125 ms, with rising prices: 1000 × (2.50 + 2.50 + 2.51 + 2.51 + 2.52 + 2.53) dollars.
  'flow-alerts': {
    request: '',
    count: 1,
    record: {
      ...{ alert_rule: 'RepeatedHitsAscendingFill', option_chain: 'ACME240119C00100000', trade_count: 6 },
      ...{ total_size: 60, total_premium: '15070.0000', price: '2.5300' },
    },
  },
  'forex-rate': {
    request: '--from EUR --to JPY',
    count: 1,
    record: { from: 'EUR', to: 'JPY', rate: 160.5, bid: null, ask: null },
  },
  greeks: {
    request: '--ticker ACME --expiry 2024-01-19',
    count: 5,
    record: {
      ...{ strike: '100.000', call_delta: '0.6109000000', call_gamma: '0.0745000000' },
      ...{ call_volatility: '0.2436000000', put_delta: '-0.3895000000', put_volatility: '0.2451000000' },
    },
  },
  // 61738 shares at 7.32.
  'insider-buy-sells': {
    request: '--ticker ACME',
    count: 3,
    record: { filing_date: '2024-05-13', purchases: 1, purchases_notional: '451922.1600000000', sells: 0 },
  },
  insiders: {
    request: '--ticker ACME',
    count: 1,
    record: { cik: '8000001', name: 'AMBERSHAW ADELE R', is_person: true, ticker: 'ACME' },
  },
  'institution-holdings': {
    request: '--name 9000100',
    count: 3,
    record: {
      ...{ ticker: 'ACME', date: '2024-03-31', units: 60000, units_change: 10000, value: 12000000 },
      ...{ historical_units: [60000, 50000, 40000], perc_of_share_value: near(12 / 21) },
    },
  },
  'institution-sectors': {
    request: '--name 9000100',
    count: 3,
    record: { report_date: '2024-03-31', value: '21000000', positions: 3 },
  },
  institutions: {
    request: '',
    count: 2,
    record: {
      ...{ name: 'Birchfold Partners LLC', cik: '9000211', date: '2022-09-30', filing_date: '2022-11-10' },
      total_value: '27690000',
    },
  },
  // Three contracts of a call spread in two executions: (2 × 2.50 + 2.53) / 3.
  'multi-leg-legs': {
    request: '--id 018cd000-0000-7000-8000-000000000001',
    count: 2,
    record: {
      ...{ option_symbol: 'ACME240119C00100000', side: 'ask', size: 3, price: '2.5100000000' },
      ...{ premium: '753.0000', volume: 3 },
    },
  },
  // Calls 5 + 410 + 1200 + 340 + 0, puts 655 + 800 + 975 + 122 + 0.
  'oi-per-expiry': {
    request: '--ticker ACME',
    count: 3,
    record: { date: '2024-01-03', expiry: '2024-01-19', call_oi: 1955, put_oi: 2552 },
  },
  // |delta| from 0.35 to 0.65 and 14 to 90 days: calls and puts of 100 in January and March. pop = 1 − 0.5873, and the
  // rank is 0.5873 per dollar of (5.5 + 5.7) / 2.
  'option-stance': {
    request: '--ticker ACME --stance directional',
    count: 4,
    record: {
      ...{ option_symbol: 'ACME240315C00100000', dte: 72, volume: 61, open_interest: 288, delta: 0.5873 },
      ...{ iv: 0.2512, pop: near(0.4127), rank_metric: { name: 'delta_per_dollar', value: near(0.104875) } },
    },
  },
  // Twelve posts, four without a text.
  'potus-posts': {
    request: '',
    count: 8,
    record: { post: 'SEE YOU IN MARCH!', timestamp: 1772341567080 },
  },
  'prediction-insiders': {
    request: '',
    count: 4,
    record: {
      ...{ asset_id: '100000000000000000010', question: 'Will the Owls win?', avg_price: '0.250000' },
      ...{ current_price: '0.500000', pnl_percent: '100.000000', total_invested_usd: '60000.00' },
    },
  },
  // 0.61 × 40 + 0.6 × 100 + 0.59 × 250.5 bid, 0.63 × 80 + 0.66 × 90 offered.
  'prediction-liquidity': {
    request: '--asset-id 100000000000000000010',
    count: 1,
    record: {
      ...{ best_bid: '0.610000', best_ask: '0.630000', mid_price: '0.6200000', spread: '0.020000' },
      ...{ bid_liquidity: '232.1950000000', ask_liquidity: '109.8000000000' },
    },
  },
  // Sizes 10 + 10 + 3 + 8 and 10 + 5 + 3 + 7, without the canceled 5; their price times 100 is 13846 dollars in all.
  'screener-option-contracts': {
    request: '',
    count: 4,
    record: {
      ...{ option_symbol: 'ACME240119C00100000', volume: 56, trades: 8, premium: '13846.0000' },
      ...{ avg_price: '2.4725000000', high: '2.5200', low: '2.4000', ask_side_volume: 20 },
    },
  },
  // Volumes 33 + 540 + 205 of calls and 42 + 120 + 312 + 28 of puts.
  'volume-oi-expiry': {
    request: '--ticker ACME',
    count: 3,
    record: { expires: '2024-01-19', oi: 4507, volume: 1280 },
  },
}

/** A number that is computed with doubles. */
function near(value: number): unknown {
  return expect.closeTo(value, 12)
}
