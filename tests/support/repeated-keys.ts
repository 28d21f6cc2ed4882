import { createElement, isValidElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** Returns the keys that two elements of a list share in a view: React would keep such elements after they are gone. */
export function repeatedKeys(view: ReactNode): string[] {
  let found: string[] = []
  // The search runs within a rendering, so that it can call components with hooks.
  const Search = () => {
    found = search(view)
    return null
  }
  renderToStaticMarkup(createElement(Search))
  return found
}

function search(node: ReactNode): string[] {
  if (Array.isArray(node)) {
    const keys = node.flatMap((each) => (isValidElement(each) && each.key !== null ? [each.key] : []))
    return [...keys.filter((key, at) => keys.indexOf(key) !== at), ...node.flatMap((each) => search(each))]
  }
  if (!isValidElement<{ children?: ReactNode }>(node)) return []
  const { type, props } = node
  return search(typeof type === 'function' ? (type as (given: object) => ReactNode)(props) : props.children)
}
