import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Figure, Target } from './section.ts'

export interface Results {
  /** When the run began: ISO 8601, UTC. */
  readonly date: string
  readonly quick: boolean
  readonly node: string
  readonly cores: number
  /** The library that workers take their memory from; null for the C library. Results before 2026-11-28 lack it. */
  readonly allocator?: string | null
  readonly figures: readonly Figure[]
}

/** Writes a file, and the folder that it is in. */
export function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

export const writeResults = (path: string, results: Results): void =>
  writeText(path, `${JSON.stringify(results, null, 2)}\n`)

export function readResults(path: string): Results {
  const parsed = parsedOf(path)
  if (typeof parsed === 'object' && parsed !== null && 'figures' in parsed && Array.isArray(parsed.figures))
    return parsed as Results
  throw new Error(`${path} has no figures: give a file of bench/results`)
}

function parsedOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : thrown
    throw new Error(`cannot read ${path}: ${reason}. Give a file of bench/results`, { cause: thrown })
  }
}

/** With two digits, or with three where two are those of the target. */
function ratioText({ ratio, target }: Pick<Figure, 'ratio' | 'target'>): string {
  if (ratio === null) return ''
  const bound = target === null ? null : 'atMost' in target ? target.atMost : target.atLeast
  return ratio.toFixed(bound !== null && ratio !== bound && ratio.toFixed(2) === bound.toFixed(2) ? 3 : 2)
}
const metText = (met: boolean | null) => (met === null ? '' : met ? 'yes' : 'no')
const targetText = (target: Target | null) =>
  target === null ? '' : 'atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`
const valueText = (value: number | string) =>
  typeof value === 'string' ? value : value >= 100 ? value.toFixed(0) : value.toPrecision(3)

export function lineOf({ section, name, ratio, target, met, details }: Figure): string {
  const values = Object.entries(details).map(([what, value]) => `${what} ${valueText(value)}`)
  const judged = target === null ? '' : ` (${targetText(target)}: ${met ? 'met' : 'missed'})`
  return [`${section}: ${name}`, `${ratioText({ ratio, target })}${judged}`, values.join(', ')]
    .filter(part => part !== '')
    .join('  ')
}

export function markdownOf({ date, figures }: Results): string {
  const rows = figures.map(({ section, name, ratio, target, met, details }) => {
    const values = Object.entries(details).map(([what, value]) => `${what} ${valueText(value)}`)
    return row([
      section,
      name,
      ratioText({ ratio, target }),
      targetText(target),
      metText(met),
      values.join('; '),
    ])
  })
  return [
    `Measured on ${date.slice(0, 10)}.`,
    '',
    row(['Section', 'Measured', 'Ratio', 'Target', 'Met', 'Values']),
    row(['---', '---', '---:', '---', '---', '---']),
    ...rows,
    '',
  ].join('\n')
}

/** Two runs side by side: each figure's ratios, the second in proportion to the first, and how many verdicts are the same. */
export function comparisonOf(one: Results, other: Results): string {
  const others = new Map(other.figures.map(figure => [keyOf(figure), figure]))
  const ones = new Set(one.figures.map(keyOf))
  const both = one.figures.map(figure => [figure, others.get(keyOf(figure)) ?? null] as const)
  const added = other.figures.filter(figure => !ones.has(keyOf(figure)))
  const rows = both.map(([before, after]) =>
    row([
      before.section,
      before.name,
      ratioText(before),
      after === null ? '' : ratioText(after),
      bothMetText(before, after),
      changeOf(before, after),
    ]),
  )
  const judged = both.filter(([before, after]) => isJudged(before) && isJudged(after))
  const changed = judged.filter(([before, after]) => before.met !== after?.met)
  return [
    row(['Section', 'Measured', one.date.slice(0, 16), other.date.slice(0, 16), 'Met', 'Change']),
    row(['---', '---', '---:', '---:', '---', '---:']),
    ...rows,
    ...added.map(figure =>
      row([figure.section, figure.name, '', ratioText(figure), metText(figure.met), 'new']),
    ),
    '',
    `Of the ${judged.length} verdicts that both runs have, ${judged.length - changed.length} are the same.`,
    ...changed.map(([before, after]) => `- ${keyOf(before)}: ${bothMetText(before, after)}`),
    '',
  ].join('\n')
}

const keyOf = ({ section, name }: Figure) => `${section}: ${name}`
const isJudged = (figure: Figure | null) => figure !== null && figure.met !== null
const bothMetText = (before: Figure, after: Figure | null) =>
  isJudged(before) && isJudged(after) && before.met !== after?.met
    ? `${metText(after?.met ?? null)}, was ${metText(before.met)}`
    : metText(after?.met ?? null)

function changeOf(before: Figure, after: Figure | null): string {
  if (after === null) return 'gone'
  if (before.ratio === null || after.ratio === null || before.ratio === 0) return ''
  const percent = (after.ratio / before.ratio - 1) * 100
  return `${percent >= 0 ? '+' : ''}${percent.toFixed(0)} %`
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
