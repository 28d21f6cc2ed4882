import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

const held = new Set<symbol>()

/** Whether the page has unsaved input that leaving would lose. */
export function isWorkUnsaved(): boolean {
  return held.size > 0
}

type Place = { pathname: string; search: object }

/** The answers to the question shown when leaving was blocked. */
type Question = { leave: () => void; stay: () => void }

/**
 * Declares that the page has unsaved input: leaving, reloading or closing it then asks the user first.
 *
 * @param placeOf what the input belongs to in an address; leaving is going to another, by default to another page
 * @returns the question to show when leaving was blocked, and the function that ends the protection
 */
export function useUnsavedWork(
  isUnsaved: boolean,
  placeOf: (place: Place) => string = ({ pathname }) => pathname,
): { question: Question | null; release: () => void } {
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
      isUnsaved && !isReleased.current && placeOf(current) !== placeOf(next),
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
