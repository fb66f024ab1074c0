/**
 * Does `work` for each of the items, in their order, each lane with one at a time: what is a connection of its own can
 * keep a core busy. After a failure no further item is begun; rejects with the first one once all lanes stand still.
 */
export async function shareOut<Lane, Item>(
  lanes: readonly Lane[],
  items: Iterable<Item>,
  work: (lane: Lane, item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items].values()
  const failures: unknown[] = []
  const run = async (lane: Lane) => {
    for (const item of waiting) {
      if (failures.length > 0) return
      await work(lane, item).catch(thrown => {
        failures.push(thrown)
      })
    }
  }
  await Promise.all(lanes.map(run))
  if (failures.length > 0) throw failures[0]
}
