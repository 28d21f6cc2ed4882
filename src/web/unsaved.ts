import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

const held = new Set<symbol>()

/** Whether something typed on this page would be lost with it. */
export function isWorkUnsaved(): boolean {
  return held.size > 0
}

/** What to do when leaving was held back. */
type Question = { leave: () => void; stay: () => void }

/**
 * Says that something typed is not saved: the page is then not left, reloaded or closed without asking.
 *
 * @returns the question to ask when leaving was held back, and how to say that it needs no asking any more
 */
export function useUnsavedWork(isUnsaved: boolean): { question: Question | null; release: () => void } {
  const isReleased = useRef(false)
  useEffect(() => {
    if (!isUnsaved) return
    const hold = Symbol('unsaved work')
    held.add(hold)
    return () => {
      held.delete(hold)
    }
  }, [isUnsaved])
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved && !isReleased.current && current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  return {
    question: blocker.status === 'blocked' ? { leave: blocker.proceed, stay: blocker.reset } : null,
    release: () => {
      isReleased.current = true
    },
  }
}
