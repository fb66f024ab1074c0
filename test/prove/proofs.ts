import { readFileSync } from 'node:fs'

/** A line of proofs.json. */
export interface Proof {
  readonly name: string
  /** What holds. */
  readonly what: string
  /** Beginnings of the paths of its test files. */
  readonly files: readonly string[]
  /** If given, only the tests with this tag, in those of the files that belong to no other proof. */
  readonly tag?: string
  /** The least number of cases that must be tried, by tier. */
  readonly cases: { readonly prove: number; readonly long: number }
}

export const PROOFS: readonly Proof[] = JSON.parse(
  readFileSync(new URL('./proofs.json', import.meta.url), 'utf8'),
)
