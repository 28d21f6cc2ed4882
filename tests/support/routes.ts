/** Parses the route tree that the router prints: one node per line, indented by four columns per level. */
export function routesOf(tree: string): { path: string; methods: string[]; isForm: boolean }[] {
  const begun: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', branch, part = '', methods] =
      /^((?:[│ ] {3})*)([├└]── )?(\S+)(?: \(([^)]*)\))?/.exec(line) ?? []
    if (!part) return []
    // A line without a branch is another route of the same address.
    const depth = indent.length / 4 - (branch ? 0 : 1)
    begun.splice(depth, begun.length, part)
    if (!methods) return []
    return [{ path: begun.join(''), methods: methods.split(', '), isForm: line.includes('"isForm":true') }]
  })
}
