import cluster from 'node:cluster'
import { readdirSync, readFileSync } from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'

/** Fastify over PostgreSQL: a prepared statement per question. Decimals, dates and times stay text. */
const [host, port] = process.argv.slice(2)
const workers = Number(process.env.PEER_WORKERS ?? 1)
if (cluster.isPrimary) for (let worker = 0; worker < workers; worker += 1) cluster.fork()
else await serve()

async function serve() {
  const { BOOL, INT2, INT4, INT8, FLOAT8, TEXT_ARRAY = 1009 } = pg.types.builtins
  const parsed = new Set([BOOL, INT2, INT4, FLOAT8, TEXT_ARRAY])
  const types = {
    getTypeParser: type =>
      type === INT8 ? Number : parsed.has(type) ? pg.types.getTypeParser(type) : value => value,
  }
  const pool = new pg.Pool({ host, user: 'postgres', database: 'postgres', max: 8, types })
  const app = Fastify()
  const folder = new URL('questions/', import.meta.url)
  for (const file of readdirSync(folder)) {
    const name = file.replace('.sql', '')
    const parameters = []
    const text = readFileSync(new URL(file, folder), 'utf8').replace(/\$([a-z_]+)/g, (_, parameter) => {
      if (!parameters.includes(parameter)) parameters.push(parameter)
      return `$${parameters.indexOf(parameter) + 1}`
    })
    app.get(`/${name}`, async ({ query }) => {
      const { rows } = await pool.query({ name, text, values: parameters.map(each => query[each]) })
      return { data: rows }
    })
  }
  await app.listen({ host: '127.0.0.1', port: Number(port) })
}
