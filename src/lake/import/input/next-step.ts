import { type FoundFile, oneLine } from './inputs.ts'

/** A path as a word of a shell command on one line. */
export const shellWord = (path: string) =>
  /^[\w./:@%+,-]+$/.test(path) ? path : `'${oneLine(path).replaceAll("'", `'\\''`)}'`

/** The step after the refusal of a file whose columns a format does not read. */
export const lookAtColumns = (
  { origin }: Pick<FoundFile, 'origin'>,
  { name, canonical }: { readonly name: string; readonly canonical: unknown },
) =>
  canonical === null
    ? `draft a layout with tapehouse import ${name} --map-from ${shellWord(origin)} > layout.json, or see tapehouse import ${name} --help`
    : `draft a layout with tapehouse import --map-from ${shellWord(origin)} > layout.json, or see docs/datasets.md`
