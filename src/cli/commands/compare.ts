import { operations } from '../../operations/index.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { SETTINGS } from '../command/settings.ts'
import { openClient, readToken } from '../compare/client.ts'
import { compare } from '../compare/compare.ts'
import { readRecording } from '../compare/recording.ts'
import { comparisonJson, comparisonText } from '../compare/report.ts'
import { outputWidth } from '../terminal/columns.ts'
import { untilInterrupted } from '../terminal/interrupt.ts'
import { note } from '../terminal/note.ts'
import { counted, progressOn } from '../terminal/terminal.ts'

const SERVER = `http://${SETTINGS.host.default}:${SETTINGS.port.default}`

export const compareCommand: Command = {
  name: 'compare',
  usage: 'RECORDED [flags]',
  details:
    'Sends recorded GET requests to a server and compares its answers with the recorded ones: status, fields, types and values, by operation. RECORDED is a HAR file of a browser or proxy, or NDJSON with {"url": …, "status": …, "body": …} per line. Of a URL, the path from /api on and the query are sent; recorded headers are not. Requests that are not GET, or not below /api, are skipped. The exit code is 0 if all answers are equal, and 1 if one differs.',
  examples: [
    'tapehouse compare recorded.har --token-file token.txt',
    'tapehouse compare recorded.ndjson --server https://market.example.org --token-file token.txt --json',
  ],
  settings: [],
  flags: {
    server: { value: 'URL', default: SERVER, help: 'URL of the server, without /api.' },
    'token-file': {
      value: 'FILE',
      help: 'File with the token of the requests. Default: requests have no token.',
    },
    json: { help: 'Print JSON, with up to 200 differences per operation.' },
  },
  run: async ({ positionals: [path, ...more], flags }) => {
    if (path === undefined || more.length > 0)
      throw usage(compareCommand, 'specify one file of recorded requests')
    const [file] = flags['token-file'] ?? []
    const token = file === undefined ? null : await readToken(file)
    const client = openClient(flags.server?.[0] ?? SERVER, token)
    const { requests, skipped } = await readRecording(path)
    const { observe, end } = progressOn(process.stderr)
    const compared = await compare(requests, operations, client, observe, untilInterrupted()).finally(end)
    if (skipped > 0)
      note(`${counted(skipped, 'request')} skipped: not GET, not below /api, or without an answer`)
    const isJson = flags.json?.length
    process.stdout.write(isJson ? comparisonJson(compared, skipped) : comparisonText(compared, outputWidth()))
    return compared.every(each => each.equal === each.requests) ? 0 : 1
  },
}
