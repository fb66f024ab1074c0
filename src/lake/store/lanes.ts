/** What one lane does by itself; a lane that is a connection of its own can keep a core busy. */
type Work<Lane> = (lane: Lane) => Promise<void>

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

  /**
   * Lets a work wait for its turn. What it answers settles with the work, for those behind it that need it; it stays
   * open where the work is never begun.
   */
  add(work: Work<Lane>): Promise<void> {
    const done = new Promise<void>((resolve, reject) => {
      if (this.#failures.length === 0) this.#waiting.push(lane => work(lane).then(resolve, refuse))
      const refuse = (thrown: unknown) => {
        this.#fail(thrown)
        reject(thrown)
      }
    })
    // Whoever needs the work meets its failure; `reduce` and `done` do too.
    done.catch(() => {})
    const lane = this.#waiting.length > 0 ? this.#idle.shift() : undefined
    if (lane !== undefined) this.#begin(lane)
    return done
  }

  /** Helps, on a lane that has nothing better to do, until no more than `most` wait. Rejects with the first failure. */
  async reduce(lane: Lane, most: number): Promise<void> {
    while (this.#waiting.length > most) await this.#waiting.shift()?.(lane)
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

  #begin(lane: Lane): void {
    const run = async () => {
      while (this.#waiting.length > 0) await this.#waiting.shift()?.(lane)
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
