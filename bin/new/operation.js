/** `stock-days` → `stockDays`. */
const camel = name => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())

const catalog = name => `import { operation } from '../answering/operation.ts'
import type { OperationFields } from '../fields/notation.ts'

const fields: OperationFields = {
  dating: [],
  parts: [{ at: 'data[]', fields: [] }],
  parameters: [],
}

export const ${camel(name)} = operation({
  id: '${name}',
  fields,
  examples: [],
  parameters: {},
  plan: () => ({ reads: {} }),
})
`

const template = name => `-- ${name}: …
-- path: /api/${name}
-- subject: …
-- description: …
SELECT 1 AS value
`

const golden = name => `{
  "how": "…",
  "request": "/api/${name}",
  "answer": { "data": [] }
}
`

/** A new operation of the API. */
export const operation = {
  summary: 'an operation of the API',
  example: 'stock-days',
  separator: '-',
  files: name => ({
    [`src/operations/catalog/${name}.ts`]: catalog(name),
    [`sql/endpoints/${name}.sql`]: template(name),
    [`test/golden/${name}/record.json`]: golden(name),
  }),
  lines: name => ({
    'src/operations/catalog.ts': `export { ${camel(name)} } from './catalog/${name}.ts'`,
  }),
  next: name => [
    `sql/endpoints/${name}.sql: write the title, the path, the subject, the description and the SELECT`,
    `src/operations/catalog/${name}.ts: list the fields with their columns, the parameters, the plan, and examples that find requests`,
    `test/golden/${name}: write lake/<dataset>.csv and at least three cases, worked out by hand (test/golden/README.md)`,
    'npx vitest run test/house test/operations: names what is missing',
    `npm run prove -- mutations -t ${name}: names what no case tests`,
    'npm run docs: updates the generated documents; npm run stable: adds to the list of what is stable',
  ],
}
