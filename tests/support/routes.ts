/** The routes in the tree that the router prints: a node per line, four columns to the right of what it continues. */
export function routesOf(tree: string): { path: string; methods: string[]; isForm: boolean }[] {
  const begun: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', branch, part = '', methods] =
      /^((?:[│ ] {3})*)([├└]── )?(\S+)(?: \(([^)]*)\))?/.exec(line) ?? []
    if (!part) return []
    // Without a branch, it is another route of the same address.
    const depth = indent.length / 4 - (branch ? 0 : 1)
    begun.splice(depth, begun.length, part)
    if (!methods) return []
    return [{ path: begun.join(''), methods: methods.split(', '), isForm: line.includes('"isForm":true') }]
  })
}
