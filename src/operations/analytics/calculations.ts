import { type Parsed, parseEach, refused, unfit } from '../parameters/problem.ts'

/** The calculations on a window, by name, with their options in parentheses. */

const CALCULATIONS = {
  MIN: null,
  MAX: null,
  MEAN: null,
  MEDIAN: null,
  CUMULATIVE_RETURN: null,
  VARIANCE: 'annualized',
  STDDEV: 'annualized',
  MAX_DRAWDOWN: null,
  HISTOGRAM: 'bins',
  AUTOCORRELATION: 'lag',
  COVARIANCE: 'annualized',
  CORRELATION: 'method',
} as const satisfies Record<string, keyof Options | null>

export type CalculationName = keyof typeof CALCULATIONS
export const calculationNames = Object.keys(CALCULATIONS) as CalculationName[]
const METHODS = ['PEARSON', 'KENDALL', 'SPEARMAN'] as const

export interface Options {
  readonly annualized: boolean
  readonly bins: number
  readonly lag: number
  readonly method: (typeof METHODS)[number]
}

const DEFAULTS: Options = { annualized: false, bins: 10, lag: 1, method: 'PEARSON' }

/** One requested calculation. `key` is its name in the answer: in upper case, without blanks, with its options. */
export interface Calculation {
  readonly key: string
  readonly name: CalculationName
  readonly options: Options
}

const CALCULATIONS_MAX = 50

const ONE = String.raw`[A-Za-z_]+( *\( *[A-Za-z]+ *= *[A-Za-z0-9]+ *\))?`
/** The grammar of the list, for JSON Schema. */
export const CALCULATIONS_PATTERN = `^ *${ONE}( *, *${ONE})* *$`

export function parseCalculations(text: string): Parsed<readonly Calculation[]> {
  const parts = splitOutsideParentheses(text)
  const count = new Set(parts.map(keyOf)).size
  const excess =
    count > CALCULATIONS_MAX ? [`has ${count} calculations, at most ${CALCULATIONS_MAX} are allowed`] : []
  const parsed = parseEach(parts, parseCalculation)
  if ('problems' in parsed) return refused(...parsed.problems, ...excess)
  if (excess.length > 0) return refused(...excess)
  return { value: [...new Map(parsed.value.map(each => [each.key, each])).values()] }
}

function splitOutsideParentheses(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth = Math.max(0, depth - 1)
    if (character === ',' && depth === 0) parts.push('')
    else parts.push(parts.pop() + character)
  }
  // A parenthesis without its end would hide the calculations after it.
  return depth === 0 ? parts : text.split(',')
}

const keyOf = (part: string) => part.replaceAll(/\s/g, '').toUpperCase()

function parseCalculation(part: string): Parsed<Calculation> {
  const key = keyOf(part)
  const wrong = (isNot: string) => unfit(part.trim(), isNot)
  const [, name = '', options] = /^([A-Z_]+)(?:\(([^()]*)\))?$/.exec(key) ?? []
  if (!isCalculation(name)) return wrong(`one of ${calculationNames.join(', ')}`)
  if (!options) return { value: { key, name, options: DEFAULTS } }
  const takes = CALCULATIONS[name]
  const [, option, value] = /^([A-Z]+)=([A-Z0-9]+)$/.exec(options) ?? []
  if (takes === null) return wrong(`${name} without options`)
  const { form, read } = OPTION_FORMS[takes]
  const chosen = option === takes.toUpperCase() && value !== undefined ? read(value) : null
  if (chosen === null) return wrong(`${name} with ${form}`)
  return { value: { key, name, options: { ...DEFAULTS, ...chosen } } }
}

function isCalculation(name: string): name is CalculationName {
  return Object.hasOwn(CALCULATIONS, name)
}

/** Each option: its form, and a function from its upper-case value to the argument of the kernels; null if invalid. */
const OPTION_FORMS: Record<
  keyof Options,
  { form: string; read: (value: string) => Partial<Options> | null }
> = {
  annualized: {
    form: '(annualized=True) or (annualized=False)',
    read: value =>
      value === 'TRUE' || value === '1'
        ? { annualized: true }
        : value === 'FALSE' || value === '0'
          ? { annualized: false }
          : null,
  },
  bins: { form: '(bins=N) with N from 1 to 1000', read: value => withCount(value, bins => ({ bins })) },
  lag: { form: '(lag=N) with N from 1 to 1000', read: value => withCount(value, lag => ({ lag })) },
  method: {
    form: `(method=${METHODS.join('|')})`,
    read: value => {
      const method = METHODS.find(candidate => candidate === value)
      return method === undefined ? null : { method }
    },
  },
}

function withCount(value: string, make: (count: number) => Partial<Options>): Partial<Options> | null {
  const count = /^\d{1,4}$/.test(value) ? Number(value) : 0
  return count >= 1 && count <= 1000 ? make(count) : null
}
