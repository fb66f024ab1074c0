/**
 * All expected failures in one table: the HTTP status of the request and the exit code of the command. Any other error
 * is a defect: status 500, exit code 1, the cause in the log.
 */
export const FAILURES = {
  usage: {
    status: 500,
    exit: 2,
    meaning: 'A command, argument, flag or setting is unknown, missing or invalid.',
    remedy: 'Correct it as the message says. `tapehouse <command> --help` lists what the command takes.',
  },
  overloaded: {
    status: 503,
    exit: 1,
    meaning:
      'A limit is reached: of running and queued queries, of connections, of answers that clients have not read, of long responses or of open sockets.',
    remedy:
      'Try again later. If it happens often, raise the limit that the message names or `--workers`, or set a lower `limit` in requests.',
  },
  out_of_memory: {
    status: 503,
    exit: 1,
    meaning:
      'The engine needed more memory than `--memory-mib` allows, or more disk than `--temporary-mib` allows.',
    remedy:
      'Request less data at once, or raise these settings. A command that writes has published nothing.',
  },
  temporary_unusable: {
    status: 503,
    exit: 1,
    meaning:
      'The temporary folder cannot be written: its disk is full, or it is read-only, missing or of another user.',
    remedy:
      'Free disk space, correct the permissions, or name another folder with `--temp-dir`. Answers that need no temporary file are still sent.',
  },
  deadline_exceeded: {
    status: 503,
    exit: 1,
    meaning: 'The query took longer than `--deadline-ms`, including its wait in the queue.',
    remedy: 'Request less data at once, try again when the server is less busy, or raise `--deadline-ms`.',
  },
  canceled: {
    status: 499,
    exit: 130,
    meaning:
      'The client closed the connection or read nothing for a minute, or a signal interrupted the command: its exit code is 130 after Ctrl-C (SIGINT), 143 after SIGTERM.',
    remedy: 'None needed: the query was stopped, and nothing was published. Run it again.',
  },
  invalid_request: {
    status: 422,
    exit: 2,
    meaning: 'A parameter of an operation is unknown, missing or invalid.',
    remedy: 'Correct each parameter that the message names. It shows a valid example of each.',
  },
  not_found: {
    status: 404,
    exit: 1,
    meaning: 'The lake has no data for what the request or the command names.',
    remedy: 'Check the name or the date, or import the missing data.',
  },
  name_taken: {
    status: 500,
    exit: 1,
    meaning: 'Another snapshot of the lake is kept by this name.',
    remedy:
      'Choose another name, or release the name with `tapehouse snapshot release NAME`. Nothing was changed.',
  },
  not_reproducible: {
    status: 500,
    exit: 1,
    meaning:
      'A cited answer cannot be given again: its snapshot is gone, or the lake, a file or the build differs.',
    remedy:
      'The message names what differs. Use the lake and the build of the citation; `tapehouse snapshot keep` keeps a snapshot that is cited.',
  },
  lake_missing: {
    status: 500,
    exit: 1,
    meaning: 'The folder holds no lake, is not a folder, or holds files of something else.',
    remedy:
      'Check `--lake`. To create a lake, run `tapehouse import`, `tapehouse adopt` or `tapehouse generate` with an empty or new folder.',
  },
  lake_older: {
    status: 500,
    exit: 1,
    meaning:
      'An earlier version of tapehouse wrote the lake. It can be read, but not written, or its derived datasets have other columns.',
    remedy: 'Run `tapehouse upgrade-lake`. It publishes one snapshot in the format of this version.',
  },
  lake_newer: {
    status: 500,
    exit: 1,
    meaning: 'A newer version of tapehouse wrote the lake, in a format that this version cannot read.',
    remedy: 'Upgrade tapehouse.',
  },
  lake_damaged: {
    status: 503,
    exit: 1,
    meaning: 'A file of the lake is missing, unreadable or not what its manifest says.',
    remedy:
      'Run `tapehouse verify --repair`, with `--from` if there is another copy of the lake. It derives files again, restores others from the copy, and names the inputs of those that have to be imported again.',
  },
  lake_conflict: {
    status: 500,
    exit: 1,
    meaning:
      'A vacuum runs beside another command that writes to the lake, or others published snapshots again and again in the meantime.',
    remedy: 'Run the command again when the other one has ended. Nothing was published.',
  },
  lake_write: {
    status: 500,
    exit: 1,
    meaning: 'A file cannot be written: the disk is full, or the folder is read-only.',
    remedy: 'Free disk space or correct the permissions, and run the command again. Nothing was published.',
  },
  input_refused: {
    status: 500,
    exit: 1,
    meaning:
      'An input file cannot be imported or adopted: it is unreadable, lacks columns, or more than half of its rows are invalid.',
    remedy:
      'Correct the file as the message says, and run the command again. `tapehouse import <format> --help` lists what a format expects. Nothing was published, or only the good ones of several files: the command names the bad ones.',
  },
  undo_refused: {
    status: 500,
    exit: 1,
    meaning:
      'An import cannot be undone: it was undone already, something else has changed its days since, or what it replaced is gone.',
    remedy:
      'Undo the later import that the message names first, or import the correct files again. Nothing was changed.',
  },
  tokens_unreadable: {
    status: 500,
    exit: 1,
    meaning: 'The tokens file is unreadable or not valid.',
    remedy:
      'Correct its permissions or content, or remove it and create new tokens with `tapehouse token create`.',
  },
  certificate_unusable: {
    status: 500,
    exit: 1,
    meaning:
      'The certificate or the private key of the server is unreadable, not PEM, or does not belong to the other one.',
    remedy:
      'Correct the file that the message names: `--tls-cert` has the certificate of the server first, `--tls-key` its key without a passphrase.',
  },
  port_unavailable: {
    status: 500,
    exit: 1,
    meaning:
      'The server cannot listen on its address: another process uses the port, or listening there is not permitted.',
    remedy: 'Choose another `--port`, `--host`, `--admin-port` or `--admin-host`, or stop the other process.',
  },
  start_refused: {
    status: 500,
    exit: 1,
    meaning:
      'A worker of the server cannot start because of a defect, or a signal killed it. The message has the reason.',
    remedy: 'Remove the reason that the message names, and start the server again.',
  },
  library_unavailable: {
    status: 500,
    exit: 1,
    meaning:
      'The system cannot load the library of DuckDB: it is missing or damaged, or its folder is mounted noexec. Or the single binary cannot extract it to its folder.',
    remedy:
      'Install the packages again. For the single binary, choose a folder that this user can write, and that is not mounted noexec, with `--native-dir`. See docs/binary.md.',
  },
} as const satisfies Readonly<Record<string, Row>>

/** One row of the table. */
interface Row {
  /** HTTP status of a request that fails with it. */
  readonly status: number
  /** Exit code of a command that fails with it. */
  readonly exit: number
  /** For docs/errors.md, in Markdown. */
  readonly meaning: string
  readonly remedy: string
}

export type FailureCode = keyof typeof FAILURES

interface FailureOptions {
  readonly cause?: unknown
  readonly details?: Readonly<Record<string, string>>
}

/** An expected failure. `message` is one line that says what was wrong with which value, and what to do. */
export class Failure extends Error {
  readonly code: FailureCode
  /** Fields for the body of the response, such as the dataset that is damaged. */
  readonly details: Readonly<Record<string, string>> | undefined
  constructor(code: FailureCode, message: string, options?: FailureOptions) {
    super(message, options)
    this.name = 'Failure'
    this.code = code
    this.details = options?.details
  }
}

/** The code of a system error, such as ENOENT; empty for anything else that was thrown. */
export function systemCode(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  return typeof code === 'string' ? code : ''
}

/** The first line of a thrown value's message, without a trailing full stop. */
export function firstLine(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return (text.split('\n', 1)[0] ?? '').replace(/\.$/, '')
}
