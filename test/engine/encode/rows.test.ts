import { describe, expect, test } from 'vitest'
import { csvSql, describeSql, jsonRowsSql, ndjsonSql } from '../../../src/engine/encode/sql.ts'
import { answer, columnsOf, openConnection } from './answers.ts'

const ENCODERS = { jsonRowsSql, ndjsonSql, csvSql } as const
const encoders = Object.entries(ENCODERS).map(([name, encoder]) => ({ name, encoder }))

describe('rows joined', () => {
  test('by commas as JSON, without brackets', async () => {
    const connection = await openConnection()
    const template = 'SELECT i, i::DECIMAL(4, 1) AS d FROM range(3) r(i) ORDER BY i DESC'
    expect(await answer(connection, jsonRowsSql, template)).toEqual({
      text: '{"i":2,"d":"2.0"},{"i":1,"d":"1.0"},{"i":0,"d":"0.0"}',
      rows: 3n,
    })
  })

  test('as lines, each with a line end', async () => {
    const connection = await openConnection()
    expect(await answer(connection, ndjsonSql, `SELECT chr(10) AS a FROM range(2)`)).toEqual({
      text: '{"a":"\\n"}\n{"a":"\\n"}\n',
      rows: 2n,
    })
  })

  test('are no bytes if there are no rows', async () => {
    const connection = await openConnection()
    const template = 'SELECT 1 AS a, [1.5] AS b WHERE false'
    expect(await answer(connection, jsonRowsSql, template)).toEqual({ text: '', rows: 0n })
    expect(await answer(connection, ndjsonSql, template)).toEqual({ text: '', rows: 0n })
    expect(await answer(connection, csvSql, template)).toEqual({ text: 'a,b\n', rows: 0n })
  })

  test.each(encoders)(
    'keep null in every row of a column that has nothing else ($name)',
    async ({ encoder }) => {
      const connection = await openConnection()
      const template = `SELECT NULL AS a, NULL::DECIMAL(4, 1)[] AS b, NULL::STRUCT(x DATE) AS c FROM range(5000)`
      const { text, rows } = await answer(connection, encoder, template)
      expect(rows).toBe(5000n)
      const row = encoder === csvSql ? ',,' : '{"a":null,"b":null,"c":null}'
      expect(
        text.split(encoder === jsonRowsSql ? /(?<=\}),/ : '\n').filter(line => line === row).length,
      ).toBe(5000)
    },
  )

  test.each([
    ...'a"b\'; DROP',
    'Ключ 😀',
    'select',
    'a,b',
    ' padded ',
    '$p',
    'c0',
    'n',
    'numbered',
    '%',
    'x\ny',
  ])('have a column named %j', async name => {
    const connection = await openConnection()
    const template = `SELECT 1.5 AS "${name.replaceAll('"', '""')}", 2 AS other`
    const { text } = await answer(connection, jsonRowsSql, template)
    expect(JSON.parse(text)).toEqual({ [name]: '1.5', other: 2 })
  })
})

const ROWS = 250_000

/** Templates of more than 100,000 rows whose `i` must count from 0 to `rows`. */
const ORDERED = [
  { name: 'a scan', rows: ROWS, template: 'SELECT i FROM many' },
  { name: 'a sort', rows: ROWS, template: `SELECT ${ROWS} - 1 - i AS i FROM many ORDER BY many.i DESC` },
  { name: 'a filter', rows: ROWS / 2, template: 'SELECT i // 2 AS i FROM many WHERE i % 2 = 0' },
  { name: 'a limit', rows: 200_000, template: 'SELECT i FROM many ORDER BY i LIMIT 200000' },
  {
    name: 'a join and a sort',
    rows: ROWS,
    template: 'SELECT a.i FROM many AS a JOIN many AS b USING (i) ORDER BY a.i',
  },
  {
    name: 'a union',
    rows: ROWS,
    template: 'SELECT i FROM many WHERE i < 150000 UNION ALL SELECT i FROM many WHERE i >= 150000',
  },
  {
    name: 'a window',
    rows: ROWS,
    template: 'SELECT row_number() OVER (ORDER BY h) - 1 AS i FROM many ORDER BY h',
  },
] as const

describe('the order of rows', () => {
  test('is kept on several threads, in each format', { tags: 'slow' }, async () => {
    const connection = await openConnection(4)
    await connection.run(`CREATE TABLE many AS SELECT i, hash(i) AS h FROM range(${ROWS}) r(i)`)
    for (const { name, rows, template } of ORDERED) {
      const { text } = await answer(connection, jsonRowsSql, template)
      const expected = Array.from({ length: rows }, (_, i) => `{"i":${i}}`).join(',')
      expect(text === expected, name).toBe(true)
    }
    const lines = Array.from({ length: ROWS }, (_, i) => `${i}\n`).join('')
    expect((await answer(connection, csvSql, ORDERED[1].template)).text === `i\n${lines}`).toBe(true)
    const objects = lines.replaceAll(/\d+/g, i => `{"i":${i}}`)
    expect((await answer(connection, ndjsonSql, ORDERED[1].template)).text === objects).toBe(true)
  })

  test('is not kept by string_agg alone, which is why rows are numbered', async () => {
    const connection = await openConnection(4)
    await connection.run('CREATE TABLE many AS SELECT i FROM range(1000000) r(i)')
    const ordered = Array.from({ length: 1_000_000 }, (_, i) => i).join(',')
    const mixed = async () => {
      const sql = `SELECT string_agg(i::VARCHAR, ',') FROM (SELECT i FROM many ORDER BY i)`
      return (await (await connection.run(sql)).getRowsJson())[0]?.[0] !== ordered
    }
    // Which thread takes which part is chance, so one run may come out right.
    expect((await mixed()) || (await mixed()) || (await mixed())).toBe(true)
  })
})

describe('a template', () => {
  const TEMPLATE = `-- what it is for
WITH numbered AS (SELECT i, i * 1.5 AS d FROM range(10) r(i)), texts AS (SELECT * FROM numbered)
SELECT i, d, $word AS word -- the last column
FROM texts
WHERE i >= $from AND ($never IS NULL OR i < $never)
ORDER BY i DESC
LIMIT $limit -- and this comment ends it`

  test.each(encoders)(
    'may have comments, WITH, ORDER BY, LIMIT and parameters ($name)',
    async ({ encoder }) => {
      const connection = await openConnection()
      const statement = await connection.prepare('SELECT 1')
      statement.destroySync()
      const bind = { word: 'w', from: 3, never: null, limit: 2 }
      const described = await connection.run(describeSql(TEMPLATE), bind)
      expect(described.columnNames()).toEqual(['i', 'd', 'word'])
      expect(described.columnTypes().map(String)).toEqual(['BIGINT', 'DECIMAL(21,1)', 'VARCHAR'])
      expect(described.rowCount).toBe(0)
      const columns = described.columnNames().flatMap((name, index) => {
        const type = described.columnTypes()[index]
        return type ? [{ name, type }] : []
      })
      const [row] = await (await connection.run(encoder(TEMPLATE, columns), bind)).getRowsJS()
      const text = Buffer.from(row?.[0] instanceof Uint8Array ? row[0] : []).toString()
      expect(text).toBe(
        {
          jsonRowsSql: '{"i":9,"d":"13.5","word":"w"},{"i":8,"d":"12.0","word":"w"}',
          ndjsonSql: '{"i":9,"d":"13.5","word":"w"}\n{"i":8,"d":"12.0","word":"w"}\n',
          csvSql: 'i,d,word\n9,13.5,w\n8,12.0,w\n',
        }[encoder.name],
      )
    },
  )

  test('with two columns of the same name has the second one renamed by the engine', async () => {
    const connection = await openConnection()
    const columns = await columnsOf(connection, 'SELECT 1 AS a, 2 AS a')
    expect(columns.map(({ name }) => name)).toEqual(['a', 'a_1'])
    expect((await answer(connection, jsonRowsSql, 'SELECT 1 AS a, 2 AS a')).text).toBe('{"a":1,"a_1":2}')
  })
})
