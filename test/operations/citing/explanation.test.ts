import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inputFor, requestsFor } from '../../../src/cli/smoke/requests.ts'
import { answer, pin, settle } from '../../../src/operations/answering/answer.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { parseCitation } from '../../../src/operations/citing/citation.ts'
import { explain } from '../../../src/operations/citing/explanation.ts'
import { filesHash, templateNames, templatesHash } from '../../../src/operations/citing/identity.ts'
import { operations } from '../../../src/operations/index.ts'
import { type AnsweredLake, openAnsweredLake, patience } from '../requests.ts'

let lake: AnsweredLake
beforeAll(async () => {
  lake = await openAnsweredLake()
}, 300_000)
afterAll(() => lake.close())

const CALLER = { owner: null, admin: true }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test.each(operations)('the citation of $id leads to the same files and the same answer', async operation => {
  const { snapshot, engine } = lake
  const [request = {}] = await requestsFor(operation, snapshot, engine, patience)
  const input = inputFor(operation, request)
  const pinned = (sent: typeof input) => {
    const validated = validate(operation, sent)
    if ('faults' in validated) throw new Error(JSON.stringify(validated.faults))
    return settle(pin(operation, validated.values, snapshot, CALLER), engine, patience)
  }
  const settled = await pinned(input)
  const { bytes } = await answer(settled, engine, 'json', patience)
  const explanation = await explain(settled, input, { bytes: bytes.byteLength, sha256: sha256(bytes) })

  const cited = parseCitation(explanation.citation)
  expect(cited).toMatchObject({ operation, snapshot: 1, template: templatesHash(operation) })
  const again = await pinned(cited.input)
  expect(filesHash(again)).toBe(cited.files)
  expect(sha256((await answer(again, engine, 'json', patience)).bytes)).toBe(cited.sha256)
  expect(explanation.snapshot).toMatchObject({ number: 1, synthetic: true, made_by: 'generate' })
  expect(explanation.files.map(({ name }) => name)).toEqual(
    [...settled.files.values()].flat().map(({ name }) => name),
  )
  expect(explanation.imports).toEqual([])
})

test('the SQL of an operation is all its templates', () => {
  const names = operations.flatMap(templateNames)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('sql/endpoints/option-stance-context.sql')
  expect(new Set(operations.map(templatesHash)).size).toBe(operations.length)
})

test('the default date is part of a citation, unless the answer could differ with it', async () => {
  const { snapshot, engine } = lake
  const greeks = operations.find(({ id }) => id === 'greeks') as Operation
  const [{ date: _, ...request } = {}] = await requestsFor(greeks, snapshot, engine, patience)
  const input = inputFor(greeks, request)
  const citationOf = async (operation: Operation) => {
    const validated = validate(operation, input)
    if ('faults' in validated) throw new Error(JSON.stringify(validated.faults))
    const pinned = pin(operation, validated.values, snapshot, CALLER)
    return (await explain(pinned, input, { bytes: 0, sha256: '0'.repeat(64) })).citation
  }
  expect(await citationOf(greeks)).toContain(`&date=${snapshot.lastDate('option_chain_days')} `)
  const plan: Operation['plan'] = (values, ...others) => ({
    ...greeks.plan(values, ...others),
    resolved: values.date === null ? 'by default' : 'as sent',
  })
  expect(await citationOf({ ...greeks, plan })).not.toContain('date=')
})
