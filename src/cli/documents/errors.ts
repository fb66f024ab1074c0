import { invalidFaults, type Problem } from '../../api/service/problem.ts'
import { PROBLEMS } from '../../api/service/problem-codes.ts'
import { FAILURES } from '../../engine/failure.ts'
import { validate } from '../../operations/answering/validate.ts'
import { operations } from '../../operations/index.ts'
import { MADE, page, table } from './markdown.ts'

const FIELDS = [
  ['`code`', 'all but 422', 'One of the codes above.'],
  ['`message`', 'all but 422', 'What was wrong, and what to do, in one line.'],
  [
    '`request_id`',
    'all but 422',
    'Finds the request in the log. Every response has it as the header `X-Request-Id`.',
  ],
  ['`reason`', '401, 403', 'The case, where a code has several.'],
  ['`expected_format`', '401 for a malformed token', '`uuid`'],
  ['`retryable`', '401, 403, 500, 503', 'Whether the same request can succeed later.'],
  ['`dataset`, `days`, `file`', '503 for a damaged file', 'The damaged file, and the dates of its rows.'],
  ['`documentation_url`, `support_email`, `token_url`', '401, 403', 'Where to find help.'],
  ['`accepted`', '406', 'The media types, or the content codings, of the route.'],
]

/** docs/errors.md: each error response, each failure of a command, what it means and what to do. */
export function errorsPage(): string {
  return page(
    '# Errors',
    MADE,
    'Every error says what was wrong and what to do. An HTTP request gets a status and a JSON body, a command one line on standard error and an exit code.',
    '## HTTP responses',
    table(
      ['Status', '`code`', 'Meaning', 'Remedy'],
      Object.entries(PROBLEMS).map(([code, { status, meaning, remedy }]) => [
        String(status),
        status === 422 ? 'none' : `\`${code}\``,
        meaning,
        remedy,
      ]),
    ),
    'The body is a JSON object, whatever the `Accept` header says:',
    table(['Field', 'Status', 'Meaning'], FIELDS),
    '### The body of a 422',
    'A response with status 422 has a body of its own. `msg` names every invalid parameter, each with a valid example, separated by semicolons. `path`, `query` and `url` repeat the request.',
    `\`\`\`json\n${JSON.stringify(invalidExample(), null, 2)}\n\`\`\``,
    '### Broken responses',
    'A long response is sent page by page. If a later page fails, the status has already been sent: the server resets the connection, so that the client sees an error, and logs the cause. See [serving.md](serving.md#long-answers).',
    '## Exit codes',
    table(
      ['Exit code', 'Meaning'],
      [
        ['0', 'The command succeeded.'],
        ['1', 'The command failed. The message says why.'],
        ['2', 'Usage error: an argument, flag, setting or parameter is wrong. Nothing was done.'],
        [
          '130, 143',
          'Ctrl-C (130) or SIGTERM (143) ended the command before it was complete. Nothing unfinished is kept. Running statements are interrupted; a second signal ends the command at once. `serve`, `demo` once it serves, and `import --watch` run until such a signal and then exit with 0.',
        ],
      ],
    ),
    '## Failures',
    'The expected failures of commands and of the server. In the log, `err.code` is the code of the failure. A request gets the status below; the failures with status 500 have the code `internal_error` in its body. Any other error is a defect: status 500, exit code 1, and a stack trace in the log or on standard error.',
    table(
      ['Failure', 'HTTP status', 'Exit code', 'Meaning', 'Remedy'],
      Object.entries(FAILURES).map(([code, { status, exit, meaning, remedy }]) => [
        `\`${code}\``,
        String(status),
        String(exit),
        meaning,
        remedy,
      ]),
    ),
  )
}

/** The body of a 422, as the server makes it. */
function invalidExample(): Problem['body'] {
  const operation = operations.find(({ parameters }) => 'date' in parameters && 'ticker' in parameters)
  if (operation === undefined) throw new Error('no operation has the parameters ticker and date')
  const query = 'date=yesterday'
  const validated = validate(operation, { path: { ticker: 'ACME' }, query: [['date', 'yesterday']] })
  if ('values' in validated) throw new Error(`${operation.id} accepts ${query}`)
  const path = operation.path.replace('{ticker}', 'ACME')
  return invalidFaults(validated.faults, { origin: 'http://127.0.0.1:8787', path, query }).body
}
