/** A bound of a ratio: it is met at this value. */
export type Target = { readonly atMost: number } | { readonly atLeast: number }

export interface Figure {
  readonly section: string
  readonly name: string
  /** What is measured in proportion to what it is compared with; null if it is shown alone. */
  readonly ratio: number | null
  readonly target: Target | null
  readonly met: boolean | null
  /** What repeats it. */
  readonly command: string
  /** The values that the ratio is made of, with their units, such as "ours, ms". */
  readonly details: Readonly<Record<string, number | string>>
}

/** A figure without what follows from its section and its target. */
export type Measured = Pick<Figure, 'name'> & Partial<Pick<Figure, 'ratio' | 'target' | 'details'>>

export interface Circumstances {
  /** For CI: fewer and shorter measurements of smaller data, which judge nothing. */
  readonly quick: boolean
  /** Where data are kept from one run to the next. */
  readonly folder: string
  /** Whether a figure of this name, or what its name begins with, is to be measured. */
  readonly chosen: (name: string) => boolean
  /** What a person is told meanwhile. */
  readonly note: (text: string) => void
}

/** Measures one subject. A section that cannot run throws; answers that differ are an error, too. */
export type Section = (circumstances: Circumstances) => AsyncIterable<Measured>

export function figureOf(section: string, command: string, measured: Measured): Figure {
  const { name, ratio = null, target = null, details = {} } = measured
  const met = ratio === null || target === null ? null : holds(ratio, target)
  return { section, name, ratio, target, met, command, details }
}

const holds = (ratio: number, target: Target) =>
  'atMost' in target ? ratio <= target.atMost : ratio >= target.atLeast
