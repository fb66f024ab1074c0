import { Failure, systemCode } from '../../engine/failure.ts'

/** Maps a failure to listen to `port_unavailable` with a line that says what to do. Returns other errors unchanged. */
export function portFailure(thrown: unknown, host: string, port: number, flag: string): unknown {
  const notHere = `${host} is not an address of this machine: choose another with ${flag.replace('port', 'host')}`
  const problem = {
    EADDRINUSE: `port ${port} on ${host} is in use: stop the program that uses it, or choose another port with ${flag}`,
    EACCES: `this user may not listen on port ${port} on ${host}: choose one above 1023 with ${flag}`,
    EADDRNOTAVAIL: notHere,
    ENOTFOUND: notHere,
  }[systemCode(thrown)]
  return problem ? new Failure('port_unavailable', problem, { cause: thrown }) : thrown
}
