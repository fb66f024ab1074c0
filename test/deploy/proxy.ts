import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { inject, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { read } from '../house/source.ts'

/** The name of the examples in the configurations. */
const HOST = 'data.example.org'

/** A program that serves as a reverse proxy, with its configuration of the folder `deploy`. */
interface Kind {
  readonly program: string
  /** The arguments, given the configuration. Writes it to the folder. */
  readonly prepare: (place: Place) => readonly string[]
}

/** Where a proxy of a test runs. */
interface Place {
  readonly folder: string
  readonly port: number
  /** The port of tapehouse. */
  readonly upstream: number
  readonly certificate: string
  readonly key: string
}

/** A text with replacements, each of which must be there. */
function replaced(text: string, replacements: readonly (readonly [from: string, to: string])[]): string {
  for (const [from] of replacements)
    if (!text.includes(from)) throw new Error(`the configuration has no ${JSON.stringify(from)}`)
  return replacements.reduce((result, [from, to]) => result.replaceAll(from, to), text)
}

export const PROXIES: Readonly<Record<string, Kind>> = {
  nginx: {
    program: '/usr/sbin/nginx',
    prepare({ folder, port, upstream, certificate, key }) {
      const site = replaced(read('deploy/nginx.conf'), [
        ['127.0.0.1:8787', `127.0.0.1:${upstream}`],
        ['listen 443', `listen 127.0.0.1:${port}`],
        ['/etc/ssl/tapehouse/certificate.pem', certificate],
        ['/etc/ssl/tapehouse/key.pem', key],
        ['/var/log/nginx', folder],
      ])
      const file = join(folder, 'nginx.conf')
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map(kind => `${kind}_temp_path ${folder}/${kind};`)
        .join('\n')
      writeFileSync(
        file,
        `daemon off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\n${temporary}\n${site}}\n`,
      )
      return ['-p', folder, '-c', file]
    },
  },
  caddy: {
    program: '/usr/bin/caddy',
    prepare({ folder, port, upstream, certificate, key }) {
      const file = join(folder, 'Caddyfile')
      writeFileSync(
        file,
        replaced(read('deploy/Caddyfile'), [
          ['127.0.0.1:8787', `127.0.0.1:${upstream}`],
          [`\n${HOST} {`, `\nhttps://${HOST}:${port} {\n\ttls ${certificate} ${key}`],
          ['\n{\n', '\n{\n\tadmin off\n\tauto_https disable_redirects\n'],
          ['/var/log/caddy', folder],
        ]),
      )
      return ['run', '--config', file, '--adapter', 'caddyfile']
    },
  },
}

/** A running proxy. */
export interface Proxy {
  /** Sends a request, by default without a token. */
  get(
    path: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: object; body: string }>
  /** Opens a WebSocket. */
  socket(path: string): WebSocket
  /** Everything that it has logged: its output and all files of its folder. */
  logged(): string
}

export const isInstalled = (name: string): boolean => existsSync(PROXIES[name]?.program ?? '')

/** Starts a proxy before the server at a port. It is stopped at the end of the test. */
export async function proxyBefore(name: string, upstream: number): Promise<Proxy> {
  const kind = PROXIES[name]
  if (kind === undefined) throw new Error(`there is no proxy ${name}`)
  const folder = mkdtempSync(join(inject('runFolder'), `${name}-`))
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', certificate, ...subject], {
    stdio: 'ignore',
  })
  const port = await freePort()
  const args = kind.prepare({ folder, port, upstream, certificate, key })
  const env = { PATH: process.env.PATH ?? '', HOME: folder }
  const child = spawn(kind.program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += String(chunk)
    })
  const ended = new Promise(resolve => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended:\n${output}`)
    await sleep(20)
  }
  const ca = readFileSync(certificate)
  return {
    get: (path, headers = {}) =>
      new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', servername: HOST, port, path, ca, agent: false as const }
        const sent = request({ ...options, headers: { host: HOST, ...headers } }, async response => {
          let body = ''
          for await (const chunk of response) body += String(chunk)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
        })
        sent.once('error', reject)
        sent.end()
      }),
    socket(path) {
      const socket = new WebSocket(`wss://127.0.0.1:${port}${path}`, [], {
        createConnection: () => connect({ host: '127.0.0.1', port, servername: HOST, ca }),
        headers: { host: HOST },
      })
      onTestFinished(() => socket.terminate())
      return socket
    },
    logged: () =>
      [output, ...filesOf(folder).map(file => readFileSync(join(folder, file), 'latin1'))].join('\n'),
  }
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.log'))

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = createConnection({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** A port that nothing listens on now. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}
