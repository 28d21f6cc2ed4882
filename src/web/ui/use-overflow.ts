import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

const none: readonly string[] = []

/**
 * Makes what is inside the element fit into it, by leaving out parts of it.
 *
 * @param spare the parts that may be left out, the first first
 * @returns whether what is inside is still wider than the element, and what must be left out
 */
export function useOverflow(
  spare: readonly string[] = none,
): [RefObject<HTMLDivElement | null>, boolean, readonly string[]] {
  const ref = useRef<HTMLDivElement>(null)
  const width = useRef(0)
  const [overflows, setOverflows] = useState(false)
  const [leftOut, setLeftOut] = useState(0)
  const left = Math.min(leftOut, spare.length)

  // After each rendering: one part less, until it fits.
  useLayoutEffect(() => {
    const element = ref.current
    const content = element?.firstElementChild
    if (!element || !content) return
    const measure = () => {
      const isGrown = element.clientWidth > width.current + 1
      width.current = element.clientWidth
      if (isGrown && left > 0) return setLeftOut(0)
      const isTooWide = content.scrollWidth > element.clientWidth + 1
      if (isTooWide && left < spare.length) setLeftOut(left + 1)
      else setOverflows(isTooWide)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    observer.observe(content)
    return () => observer.disconnect()
  })
  return [ref, overflows, spare.slice(0, left)]
}
