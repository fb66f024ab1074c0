import type { LakeFile } from '../../../src/lake/store/snapshot.ts'
import type { Needing } from './pool.ts'

/** What a server answered. */
export interface Answered {
  readonly status: number
  readonly etag: string | undefined
  readonly body: string
}

/** What was tried of one codec, and what came of it. */
export interface Tally {
  readonly codec: string
  /** Damaged files. */
  damaged: number
  /** Their datasets. */
  readonly datasets: Set<string>
  /** Answers that name a damaged file which the request needs. */
  refused: number
  /** Right answers to requests that need no damaged file, and after all files were mended. */
  right: number
  /** All other answers. */
  readonly wrong: string[]
}

export const newTally = (codec: string): Tally => ({
  codec,
  damaged: 0,
  datasets: new Set(),
  refused: 0,
  right: 0,
  wrong: [],
})

/** Judges an answer while `damaged` (by name) is damaged. `right` is the answer without damage. */
export function judge(
  tally: Tally,
  { url, files }: Needing,
  answered: Answered,
  right: Answered,
  damaged: ReadonlyMap<string, LakeFile>,
): void {
  const needed = [...files].filter(name => damaged.has(name))
  // Why an answer is empty depends on more files than its rows, such as those of the known tickers.
  const named = right.body.includes('"data":[]') ? [...damaged.keys()] : needed
  const isRefused = answered.status === 503 && named.some(name => names(answered.body, damaged.get(name)))
  const isAnswered =
    needed.length === 0 &&
    answered.status === 200 &&
    answered.body === right.body &&
    answered.etag === right.etag
  if (isRefused) tally.refused += 1
  else if (isAnswered) tally.right += 1
  else {
    const why = `${answered.status} ${answered.body.slice(0, 200)}`
    tally.wrong.push(`${url} needs ${needed.join(', ') || 'no damaged file'}: ${why}`)
  }
}

/** Whether an answer names a file, its dataset and its days. */
function names(body: string, file: LakeFile | undefined): boolean {
  if (file === undefined) return false
  const { code, dataset, days, file: name } = JSON.parse(body) as Record<string, unknown>
  const [first, last] = file.dates
  return (
    code === 'lake_damaged' &&
    name === file.name &&
    dataset === file.dataset &&
    days === (first === last ? first : `${first} to ${last}`)
  )
}

/** What was tried and what came of it, a line per codec. */
export function tableOf(tallies: readonly Tally[]): string {
  const rows = [
    ['codec', 'damaged files', 'datasets', '503 with names', 'right answers', 'wrong answers'],
    ...tallies.map(({ codec, damaged, datasets, refused, right, wrong }) =>
      [codec, damaged, datasets.size, refused, right, wrong.length].map(String),
    ),
  ]
  const widths = rows[0]?.map((_, index) => Math.max(...rows.map(row => row[index]?.length ?? 0))) ?? []
  return rows.map(row => row.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('  ')).join('\n')
}
