import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Operation } from '../../src/operations/answering/operation.ts'
import { parseTemplateHead } from '../../src/operations/answering/template-head.ts'
import { filesBelow, read, root } from './source.ts'

/**
 * Every operation is complete: a catalog file, a line in the index, a template with its head, golden cases, fields and
 * examples. Each message names the file and the next step. The first tests read files only, so that they also work
 * while the catalog cannot be loaded.
 */

const INDEX = 'src/operations/catalog.ts'
const CATALOG = 'src/operations/catalog'
const CASES_MIN = 3
/** Files among the golden cases that list exceptions of other tests. */
const NO_CASES: readonly string[] = ['equivalent.json', 'lineage.json']

const idsOf = (folder: string, ending: string) =>
  filesBelow(folder, ending).map(path => basename(path, ending))
const ids = idsOf(CATALOG, '.ts')
const catalogFile = (id: string) => `${CATALOG}/${id}.ts`
const templateFile = (id: string) => `sql/endpoints/${id}.sql`

/** `stock-days` → `stockDays`. */
const exportOf = (id: string) => id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const indexLine = (id: string) => `export { ${exportOf(id)} } from './catalog/${id}.ts'`

const problemsOf = (check: (id: string) => readonly string[]) => ids.flatMap(check)
const goldenFiles = (id: string, ending: string) => {
  const folder = join(root, 'test/golden', id)
  return existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith(ending)) : []
}

describe('every operation', () => {
  test('has a line in the index', () => {
    const lines = read(INDEX).split('\n')
    expect(
      problemsOf(id =>
        lines.includes(indexLine(id))
          ? []
          : [`${INDEX} lacks ${catalogFile(id)}: add the line ${indexLine(id)}`],
      ),
    ).toEqual([])
  })

  test('has a template with a complete head', () => {
    expect(
      problemsOf(id => {
        const file = templateFile(id)
        if (!existsSync(join(root, file)))
          return [`${file} is missing: write the SELECT of ${catalogFile(id)}`]
        try {
          parseTemplateHead(id, file, read(file))
          return []
        } catch (problem) {
          return [(problem as Error).message]
        }
      }),
    ).toEqual([])
  })

  test('has golden cases and a lake for them', () => {
    expect(
      problemsOf(id => {
        const folder = `test/golden/${id}`
        const cases = goldenFiles(id, '.json').filter(name => !NO_CASES.includes(name))
        const lake = join(root, folder, 'lake')
        return [
          ...(cases.length < CASES_MIN
            ? [
                `${folder} has ${cases.length} of at least ${CASES_MIN} cases: write them as test/golden/README.md describes`,
              ]
            : []),
          ...(existsSync(lake) && readdirSync(lake).some(name => name.endsWith('.csv'))
            ? []
            : [`${folder}/lake has no rows: write <dataset>.csv for each dataset that the template reads`]),
        ]
      }),
    ).toEqual([])
  })

  test('has no leftovers: index lines and golden cases belong to a catalog file', () => {
    const indexed = [...read(INDEX).matchAll(/'\.\/catalog\/(.*)\.ts'/g)].map(([, id = '']) => id)
    const cases = readdirSync(join(root, 'test/golden'), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => name)
    expect([
      ...indexed
        .filter(id => !ids.includes(id))
        .map(id => `${INDEX}: remove the line of ${id}, which has no file`),
      ...cases
        .filter(id => !ids.includes(id))
        .map(id => `test/golden/${id}: remove it, or write ${catalogFile(id)}`),
    ]).toEqual([])
  })
})

describe('the catalog, once it loads,', () => {
  const load = async (): Promise<readonly Operation[]> =>
    (await import('../../src/operations/index.ts')).operations

  test('has the id of each operation in its file name', async () => {
    expect((await load()).map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })

  test('has fields, their dating dataset and the order of examples for each operation', async () => {
    const { datasets } = await import('../../src/lake/store/datasets.ts')
    const unknown = (names: readonly string[]) => names.filter(name => !datasets().has(name))
    const problems = (await load()).flatMap(({ id, fields, examples, parameters }) => {
      const shown = fields.parts.flatMap(part => part.fields)
      const required = Object.keys(parameters).filter(name => parameters[name]?.required)
      const searched = examples.map(({ dataset }) => dataset)
      return [
        ...(shown.length === 0
          ? ['fields: list the columns of its template, each with where it comes from']
          : []),
        ...(fields.dating.length === 0 ? ['dating: name the dataset whose latest date is its default'] : []),
        ...unknown(fields.dating).map(name => `dating: there is no dataset ${name} in sql/schema`),
        ...unknown(searched).map(name => `examples: there is no dataset ${name} in sql/schema`),
        ...(required.length > 0 && examples.length === 0
          ? [`examples: search the lake for requests with ${required.join(', ')}`]
          : []),
      ].map(problem => `${catalogFile(id)}: ${problem}`)
    })
    expect(problems).toEqual([])
  })
})

describe('the parameters of templates', () => {
  const templates = ['sql/endpoints', 'sql/stream'].flatMap(folder => filesBelow(folder, '.sql'))
  const datasets = new Set(idsOf('sql/schema', '.sql'))

  test('that are named after a dataset are its files, and files are named after their dataset', () => {
    const problems = templates.flatMap(path => {
      const sql = read(path).replaceAll(/--[^\n]*/g, '')
      const uses = [...sql.matchAll(/(read_parquet\()?\$([a-z_][a-z0-9_]*)/g)]
      return uses.flatMap(([, reads, name = '']) => {
        if (datasets.has(name) === (reads !== undefined)) return []
        return reads
          ? [`${path}: read_parquet($${name}): name the parameter after a dataset in sql/schema`]
          : [`${path}: $${name} is the files of the dataset ${name}: rename the parameter`]
      })
    })
    expect([...new Set(problems)]).toEqual([])
  })
})
