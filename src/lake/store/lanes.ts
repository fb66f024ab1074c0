/** A task for one lane. A lane with a connection of its own can keep a core busy. */
type Work<Lane> = (lane: Lane) => Promise<void>

/** A queued task. `done` settles with it, for later tasks that need it; it stays pending if the task never starts. */
interface Task {
  readonly done: Promise<void>
}

/**
 * A queue of tasks, run in order by lanes that each run one task at a time. After a failure no further task starts.
 */
export class Backlog<Lane> {
  readonly #idle: Lane[]
  readonly #busy = new Set<Promise<void>>()
  readonly #failures: unknown[] = []
  #waiting: Work<Lane>[] = []

  constructor(lanes: readonly Lane[]) {
    this.#idle = [...lanes]
  }

  /** Queues a task. */
  add(work: Work<Lane>): Task {
    const done = new Promise<void>((resolve, reject) => {
      if (this.#failures.length > 0) return
      this.#waiting.push(async lane => {
        try {
          await work(lane)
          resolve()
        } catch (thrown) {
          this.#fail(thrown)
          reject(thrown)
        }
      })
    })
    // `reduce` and `done` report the failure, and so does the task's own promise where it is awaited.
    done.catch(() => {})
    const lane = this.#waiting.length > 0 ? this.#idle.shift() : undefined
    if (lane !== undefined) this.#begin(lane)
    return { done }
  }

  /** Runs queued tasks on the caller's lane until at most `most` are queued. Rejects with the first failure. */
  async reduce(lane: Lane, most: number): Promise<void> {
    await this.#workOff(lane, most)
    this.#throwFailure()
  }

  /** Resolves when all tasks are done. Rejects with the first failure, when all lanes are idle. */
  async done(): Promise<void> {
    await Promise.all(this.#busy)
    this.#throwFailure()
  }

  /** Starts no further task. Resolves when all lanes are idle. */
  async abandon(): Promise<void> {
    this.#waiting = []
    await Promise.all(this.#busy)
  }

  async #workOff(lane: Lane, most: number): Promise<void> {
    while (this.#waiting.length > most) {
      const work = this.#waiting.shift()
      if (work !== undefined) await work(lane)
    }
  }

  #begin(lane: Lane): void {
    const run = async () => {
      await this.#workOff(lane, 0)
      this.#busy.delete(running)
      this.#idle.push(lane)
    }
    const running = run()
    this.#busy.add(running)
  }

  #fail(thrown: unknown): void {
    this.#failures.push(thrown)
    this.#waiting = []
  }

  #throwFailure(): void {
    if (this.#failures.length > 0) throw this.#failures[0]
  }
}

/**
 * Runs `work` for each of the items, in order, one per lane at a time. After a failure no further item starts; rejects
 * with the first failure when all lanes are idle.
 */
export async function shareOut<Lane, Item>(
  lanes: readonly Lane[],
  items: Iterable<Item>,
  work: (lane: Lane, item: Item) => Promise<void>,
): Promise<void> {
  const backlog = new Backlog(lanes)
  for (const item of items) backlog.add(lane => work(lane, item))
  await backlog.done()
}
