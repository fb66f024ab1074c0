/** The economic series, with their names, units and intervals. */

/** The length of each interval, from the finest to the coarsest. */
const LENGTHS = {
  daily: '1 day',
  weekly: '7 days',
  monthly: '1 month',
  quarterly: '3 months',
  semiannual: '6 months',
  annual: '12 months',
} as const
export type Interval = keyof typeof LENGTHS
const intervals = Object.keys(LENGTHS) as Interval[]

/** Maturities of treasury yields, with their text in the series' names. */
export const MATURITIES = {
  '3month': '3-Month',
  '2year': '2-Year',
  '5year': '5-Year',
  '7year': '7-Year',
  '10year': '10-Year',
  '30year': '30-Year',
} as const
export type Maturity = keyof typeof MATURITIES

export interface EconomicSeries {
  readonly name: string
  readonly unit: string
  /** The first is the default. */
  readonly intervals: readonly [Interval, ...Interval[]]
  /**
   * The aggregate for coarser intervals: the mean of rates, indices, levels and annual rates, the sum of other flows.
   */
  readonly total: 'mean' | 'sum'
}

export const SERIES = {
  gdp: {
    name: 'Real Gross Domestic Product',
    unit: 'billions of dollars',
    intervals: ['annual', 'quarterly'],
    total: 'mean',
  },
  'gdp-per-capita': {
    name: 'Real Gross Domestic Product per Capita',
    unit: 'chained dollars',
    intervals: ['quarterly'],
    total: 'mean',
  },
  'treasury-yield': {
    name: 'Treasury Constant Maturity Rate',
    unit: 'percent',
    intervals: ['monthly', 'weekly', 'daily'],
    total: 'mean',
  },
  'fed-funds': {
    name: 'Effective Federal Funds Rate',
    unit: 'percent',
    intervals: ['monthly', 'weekly', 'daily'],
    total: 'mean',
  },
  cpi: {
    name: 'Consumer Price Index for all Urban Consumers',
    unit: 'index 1982-1984=100',
    intervals: ['monthly', 'semiannual'],
    total: 'mean',
  },
  inflation: {
    name: 'Inflation - US Consumer Prices',
    unit: 'percent',
    intervals: ['annual'],
    total: 'mean',
  },
  'retail-sales': {
    name: 'Advance Retail Sales: Retail Trade',
    unit: 'millions of dollars',
    intervals: ['monthly'],
    total: 'sum',
  },
  durables: {
    name: 'Manufacturer New Orders: Durable Goods',
    unit: 'millions of dollars',
    intervals: ['monthly'],
    total: 'sum',
  },
  unemployment: {
    name: 'Unemployment Rate',
    unit: 'percent',
    intervals: ['monthly'],
    total: 'mean',
  },
  payrolls: {
    name: 'Total Nonfarm Payroll',
    unit: 'thousands of persons',
    intervals: ['monthly'],
    total: 'mean',
  },
} as const satisfies Record<string, EconomicSeries>
export type Indicator = keyof typeof SERIES

export const indicators = Object.keys(SERIES) as Indicator[]
export const maturities = Object.keys(MATURITIES) as Maturity[]

/** The stored intervals from which an interval can be computed: itself first, then the finest; with their lengths. */
export function sourcesOf(interval: Interval): { sources: readonly Interval[]; lengths: readonly string[] } {
  const sources = [interval, ...intervals.slice(0, intervals.indexOf(interval))]
  return { sources, lengths: sources.map(source => LENGTHS[source]) }
}
