// A browser that translates a page replaces text nodes with `<font>` elements. React still holds the text nodes: its
// updates would be invisible, and removing a node would fail. This module maps each removed text node to its
// replacement.

/** Replacement of each text node that a translation removed, or of an earlier replacement. */
const standIns = new WeakMap<Node, Node>()
/** Text node of React for each replacement. */
const originals = new WeakMap<Node, Text>()

/** Makes React's updates visible while the browser translates the page, so that figures are current. */
export function tolerateTranslation(): void {
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
  // The node was replaced, or removed after its replacement was inserted beside it.
  const standIn = added ?? [previousSibling, nextSibling].find((near) => near && isFont(near))
  const original = originals.get(removed) ?? (removed instanceof Text ? removed : undefined)
  if (!standIn || !original || standIn === original || originals.has(standIn)) return
  if (!isFont(standIn) && !originals.has(removed)) return
  standIns.set(removed, standIn)
  originals.set(standIn, original)
}

const isFont = (node: Node) => node.nodeName === 'FONT'

/** Returns the child of `parent` that stands for a node: the node itself, an element around it, or its replacement. */
function placeOf(node: Node, parent: Node): Node | null {
  for (let at: Node | undefined = node; at; at = standIns.get(at)) {
    let child: Node = at
    while (child.parentNode && child.parentNode !== parent) child = child.parentNode
    if (child.parentNode === parent) return child
  }
  return null
}

/** Removes the replacement of a node that is moved elsewhere. */
function leavePlace(node: Node): void {
  if (node.parentNode) return
  const place = lastStandIn(node)
  if (place instanceof Element) place.remove()
}

/**
 * Restores every text node of the element: a translation spreads one sentence over several text nodes, so a change
 * affects all.
 */
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
