import type { Health } from '../../../src/api/process/admin.ts'

/** What the admin port shows of a server with one worker that answers. */
export const HEALTH: Health = {
  workersWanted: 1,
  workersReady: async () => 1,
  workerMetrics: async () => ({ text: '', missing: [] }),
  connectionsWaiting: () => 0,
  linesDropped: () => 0,
  draining: () => false,
  age: null,
  damaged: () => [],
  certificateExpiresMs: () => null,
  observe: () => {},
}
