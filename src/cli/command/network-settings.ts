import type { Setting } from './setting.ts'

/** The settings of the server's addresses, and of what is in front of it. */
export const NETWORK_SETTINGS = {
  host: { kind: 'text', default: '127.0.0.1', help: 'Address to listen on.' },
  port: {
    kind: 'integer',
    default: 8787,
    min: 0,
    max: 65535,
    help: 'Port to listen on; 0 selects a free port.',
  },
  adminHost: {
    kind: 'text',
    default: '127.0.0.1',
    help: 'Address of the admin port. It has no authentication: use an address that only your monitoring reaches.',
  },
  adminPort: {
    kind: 'integer',
    default: 8788,
    min: 0,
    max: 65535,
    help: 'Port of /-/live, /-/ready and /-/metrics; 0 selects a free port.',
  },
  tlsCert: {
    kind: 'text',
    default: null,
    help: 'File with the certificate, and the certificates that it is signed with, in PEM. The server then speaks HTTPS. It reads the file and that of --tls-key again on SIGHUP.',
    defaultMeaning: 'plain HTTP',
  },
  tlsKey: {
    kind: 'text',
    default: null,
    help: 'File with the private key of the certificate, in PEM, without a passphrase.',
    defaultMeaning: 'plain HTTP',
  },
  behindProxy: {
    kind: 'flag',
    default: false,
    help: 'Permit plain HTTP on an address that is not loopback, because a proxy in front of it has the TLS.',
  },
  trustProxy: {
    kind: 'text',
    default: null,
    help: 'Proxies whose X-Forwarded-For, -Proto and -Host are believed: their number, or their addresses and networks, separated by commas, e.g. 1 or loopback,10.0.0.0/8.',
    defaultMeaning: 'none',
  },
  publicUrl: {
    kind: 'text',
    default: null,
    help: 'URL at which clients reach the API, e.g. https://data.example.org if there is a proxy.',
    defaultMeaning: 'the origin of each request',
  },
  corsOrigins: {
    kind: 'text',
    default: null,
    help: 'Origins whose pages may read responses in a browser, separated by commas, e.g. https://app.example.org; * for all.',
    defaultMeaning: 'none',
  },
} as const satisfies Record<string, Setting>
