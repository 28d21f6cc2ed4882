import { type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

const none: readonly string[] = []

/**
 * Makes the content of an element fit by leaving out parts of it.
 *
 * @param spare the parts that may be left out, in that order
 * @param isStandIn whether the content is a placeholder, whose widths are not those of the real content
 * @returns the ref of the element, whether its content is still too wide, and the parts to leave out
 */
export function useOverflow(
  spare: readonly string[] = none,
  isStandIn = false,
): [RefObject<HTMLDivElement | null>, boolean, readonly string[]] {
  const ref = useRef<HTMLDivElement>(null)
  const measured = useRef({ width: 0, isStandIn })
  const [overflows, setOverflows] = useState(false)
  const [leftOut, setLeftOut] = useState(0)
  const left = Math.min(leftOut, spare.length)

  const measure = useEffectEvent(() => {
    const element = ref.current
    const content = element?.firstElementChild
    if (!element || !content) return
    const { current: before } = measured
    measured.current = { width: element.clientWidth, isStandIn }
    const isNew = element.clientWidth > before.width + 1 || isStandIn !== before.isStandIn
    if (isNew && left > 0) return setLeftOut(0)
    const isTooWide = content.scrollWidth > element.clientWidth + 1
    if (isTooWide && left < spare.length) setLeftOut(left + 1)
    else setOverflows(isTooWide)
  })
  // Before the first paint and after each part left out, measures again until the content fits.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown has changed with them.
  useLayoutEffect(() => measure(), [left, spare.length, isStandIn])
  // Later, measures when the ResizeObserver reports a new width: measuring after each rendering would force a layout of
  // the whole page.
  useLayoutEffect(() => {
    const element = ref.current
    const content = element?.firstElementChild
    if (!element || !content) return
    const observer = new ResizeObserver(() => flushSync(() => measure()))
    observer.observe(element)
    observer.observe(content)
    return () => observer.disconnect()
  }, [])
  return [ref, overflows, spare.slice(0, left)]
}
