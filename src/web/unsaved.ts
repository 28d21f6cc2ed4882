import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'

const held = new Set<symbol>()

/** Whether something typed on this page would be lost with it. */
export function isWorkUnsaved(): boolean {
  return held.size > 0
}

/**
 * Says that something typed is not saved: the page is then not left, reloaded or closed without asking.
 *
 * @returns the question to ask when leaving was held back, null otherwise
 */
export function useUnsavedWork(isUnsaved: boolean): { leave: () => void; stay: () => void } | null {
  useEffect(() => {
    if (!isUnsaved) return
    const hold = Symbol('unsaved work')
    held.add(hold)
    return () => {
      held.delete(hold)
    }
  }, [isUnsaved])
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  return blocker.status === 'blocked' ? { leave: blocker.proceed, stay: blocker.reset } : null
}
