import { readFileSync } from 'node:fs'

const textOf = (name: string) =>
  readFileSync(new URL(`../../../shared/spec/${name}`, import.meta.url), 'utf8')

/** Number, name and type of each field of ChainFrag, by the table of the specification and the 33rd of the decisions. */
export function specifiedChainFragFields(): [number: number, name: string, type: string][] {
  const [, events = ''] = textOf('market-data-read-api.md').split('\n## Events\n')
  const rows = [...events.matchAll(/^\| (\d+) \| (\w+) \| (\w+)(?: \(decimal\))? \|/gm)]
  const [, number, name = '', type = ''] =
    /fields 1-32 as given, (\d+) (\w+) \((\w+) decimal\)/.exec(textOf('decisions.md')) ?? []
  return [
    ...rows.map(([, each, field = '', is = '']): [number, string, string] => [Number(each), field, is]),
    [Number(number), name, type],
  ]
}
