import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PREDICTION_CATEGORIES, PREDICTION_TAGS } from '../../src/market/prediction-tags.ts'

const sql = (path: string) => readFileSync(new URL(`../../sql/${path}`, import.meta.url), 'utf8')

test('generated positions are scored with the weights that answers tell', () => {
  const generated = [...sql('generate/prediction_positions.sql').matchAll(/^ {4}\('(\w+)', ([\d.]+)\)/gm)]
  expect(generated.map(([, tag, score]) => ({ tag, score }))).toEqual(PREDICTION_TAGS)
})

test('categories and tags are those that the schema names', () => {
  const schema = sql('schema/prediction_positions.sql')
  const named = (column: string) => schema.match(new RegExp(`^ {2}${column} .*-- (.*)$`, 'm'))?.[1] ?? ''
  expect(named('category')).toBe(PREDICTION_CATEGORIES.join(', ').replace(', Weather', ' or Weather'))
  expect(named('tags')).toBe(`tags from ${PREDICTION_TAGS.map(({ tag }) => tag).join(', ')}`)
})
