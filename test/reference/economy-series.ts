/** The economic series, as the table of operation 16 in the decisions names them. */

export const INTERVALS = ['daily', 'weekly', 'monthly', 'quarterly', 'semiannual', 'annual'] as const
export type Interval = (typeof INTERVALS)[number]

interface Series {
  readonly name: string
  readonly unit: string
  /** The first is the default. */
  readonly intervals: readonly [Interval, ...Interval[]]
  /** A coarser interval: the mean of rates, indices and annual rates, the sum of other flows. */
  readonly total: 'mean' | 'sum'
}

export const SERIES: Readonly<Record<string, Series>> = {
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
  unemployment: { name: 'Unemployment Rate', unit: 'percent', intervals: ['monthly'], total: 'mean' },
  payrolls: {
    name: 'Total Nonfarm Payroll',
    unit: 'thousands of persons',
    intervals: ['monthly'],
    total: 'mean',
  },
}

export const MATURITY_NAMES: Readonly<Record<string, string>> = {
  '3month': '3-Month',
  '2year': '2-Year',
  '5year': '5-Year',
  '7year': '7-Year',
  '10year': '10-Year',
  '30year': '30-Year',
}
