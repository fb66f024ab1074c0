/** The first circle found among `edges`, as a path that ends where it started. */
export function findCircle(edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]): string[] | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return null
    for (const next of edges.get(node) ?? []) {
      const circle = visit(next, [...path, node])
      if (circle) return circle
    }
    done.add(node)
    return null
  }
  for (const node of edges.keys()) {
    const circle = visit(node, [])
    if (circle) return circle
  }
  return null
}
