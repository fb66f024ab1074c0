// A client in a process of its own, so that the time it takes to read answers is no part of the times that a test measures. It gets
// the address of the server, a token, a number of connections and paths as arguments, and asks for the paths in turn on each
// connection until its standard input ends. Then it prints a line of JSON: for each response its status and its Retry-After.
import { Agent, get } from 'node:http'

const [server = '', token = '', connections = '1', ...paths] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
const answers = []
let isOver = false
process.stdin.resume().once('end', () => {
  isOver = true
})

const ask = path =>
  new Promise(resolve => {
    const headers = { authorization: `Bearer ${token}` }
    get(server + path, { agent, headers }, response => {
      response.resume()
      response.once('close', () =>
        resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'] }),
      )
    }).once('error', ({ message }) => resolve({ status: message }))
  })

async function client(first) {
  for (let place = first; !isOver; place += Number(connections))
    answers.push(await ask(paths[place % paths.length] ?? '/'))
}

await Promise.all(Array.from({ length: Number(connections) }, (_, first) => client(first)))
agent.destroy()
process.stdout.write(JSON.stringify(answers))
