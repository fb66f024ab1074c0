/** What one lane does by itself; a lane that is a connection of its own can keep a core busy. */
type Work<Lane> = (lane: Lane) => Promise<void>

/** A queued task. `done` settles with it, for later tasks that need it; it stays pending if the task never begins. */
interface Task {
  readonly done: Promise<void>
}

/**
 * Work in the order in which it comes up, done by lanes that each do one thing at a time. After a failure no further work
 * is begun.
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
    // `reduce` and `done` report a failure where nobody waits for the task itself.
    done.catch(() => {})
    const lane = this.#waiting.length > 0 ? this.#idle.shift() : undefined
    if (lane !== undefined) this.#begin(lane)
    return { done }
  }

  /** Helps, on a lane that has nothing better to do, until no more than `most` wait. Rejects with the first failure. */
  async reduce(lane: Lane, most: number): Promise<void> {
    await this.#workOff(lane, most)
    this.#throwFailure()
  }

  /** Resolves once all is done. Rejects with the first failure, once all lanes stand still. */
  async done(): Promise<void> {
    await Promise.all(this.#busy)
    this.#throwFailure()
  }

  /** Begins nothing more, and resolves once all lanes stand still. */
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
 * Does `work` for each of the items, in their order, each lane with one at a time. After a failure no further item is
 * begun; rejects with the first one once all lanes stand still.
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
