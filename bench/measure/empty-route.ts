import Fastify from 'fastify'

/** A server with one route that does nothing: empty-route.js <port> <bytes>. It answers with that many bytes. */
const [port, bytes] = process.argv.slice(2)
const body = Buffer.alloc(Number(bytes), ' ')
const app = Fastify()
app.get('/', (_, reply) => reply.type('application/json').send(body))
await app.listen({ host: '127.0.0.1', port: Number(port) })
process.stdout.write('Serving\n')
