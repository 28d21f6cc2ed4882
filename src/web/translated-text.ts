// A browser that translates a page takes text nodes out and puts `<font>` elements in their place. React still holds the text
// nodes: what it then writes is seen by nobody, and taking one away fails. Here both sides are brought together again.

/** What stands in the place of a text node that a translation took out, and of what stood there before that. */
const standIns = new WeakMap<Node, Node>()
/** The other way round: the text node that React holds. */
const originals = new WeakMap<Node, Text>()

/** Makes React's changes reach the page while the browser translates it: figures are those of the program, not of before. */
export function surviveTranslation(): void {
  new MutationObserver((records) => records.forEach(note)).observe(document, {
    childList: true,
    subtree: true,
  })
  const { removeChild, insertBefore, appendChild } = Node.prototype
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    const place = child.parentNode === this ? child : placeOf(child, this)
    removeChild.call(this, place ?? child)
    return child
  }
  Node.prototype.insertBefore = function <Child extends Node>(
    this: Node,
    child: Child,
    before: Node | null,
  ): Child {
    leavePlace(child)
    const isHere = !before || before.parentNode === this
    insertBefore.call(this, child, isHere ? before : (placeOf(before, this) ?? before))
    return child
  }
  Node.prototype.appendChild = function <Child extends Node>(this: Node, child: Child): Child {
    leavePlace(child)
    appendChild.call(this, child)
    return child
  }
  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue')
  Object.defineProperty(Text.prototype, 'nodeValue', {
    ...nodeValue,
    set(this: Text, value: string) {
      bringBack(this)
      nodeValue?.set?.call(this, value)
    },
  })
}

function note({
  removedNodes: [removed],
  addedNodes: [added],
  previousSibling,
  nextSibling,
}: MutationRecord) {
  if (!removed) return
  // Replaced at once, or taken out after its stand-in was put beside it.
  const standIn = added ?? [previousSibling, nextSibling].find((near) => near && isFont(near))
  const original = originals.get(removed) ?? (removed instanceof Text ? removed : undefined)
  if (!standIn || !original || standIn === original || originals.has(standIn)) return
  if (!isFont(standIn) && !originals.has(removed)) return
  standIns.set(removed, standIn)
  originals.set(standIn, original)
}

const isFont = (node: Node) => node.nodeName === 'FONT'

/** The child of `parent` that stands for a node: the node itself, wrapped, or what took its place. */
function placeOf(node: Node, parent: Node): Node | null {
  for (let at: Node | undefined = node; at; at = standIns.get(at)) {
    let child: Node = at
    while (child.parentNode && child.parentNode !== parent) child = child.parentNode
    if (child.parentNode === parent) return child
  }
  return null
}

/** What is put elsewhere leaves nothing where it was. */
function leavePlace(node: Node): void {
  if (node.parentNode) return
  const place = lastStandIn(node)
  if (place instanceof Element) place.remove()
}

/** A translation spreads a sentence over its text nodes: when one changes, all of its element come back. */
function bringBack(text: Text): void {
  if (text.parentNode) return
  for (const child of [...(lastStandIn(text)?.parentNode?.childNodes ?? [])]) {
    const original = originals.get(child)
    if (!original || original.parentNode) continue
    standIns.delete(original)
    child.replaceWith(original)
  }
}

function lastStandIn(node: Node): Node | undefined {
  let last = standIns.get(node)
  for (let next = last; next; next = standIns.get(next)) last = next
  return last
}
