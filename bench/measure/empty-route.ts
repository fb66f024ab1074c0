import Fastify from 'fastify'

/** A server with routes that do nothing: empty-route.js <port> <bytes>… The route `/<bytes>` answers with that many bytes. */
const [port, ...sizes] = process.argv.slice(2)
const app = Fastify()
for (const bytes of sizes) {
  const body = Buffer.alloc(Number(bytes), ' ')
  app.get(`/${bytes}`, (_, reply) => reply.type('application/json').send(body))
}
await app.listen({ host: '127.0.0.1', port: Number(port) })
process.stdout.write('Serving\n')
