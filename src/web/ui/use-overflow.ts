import { type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

const none: readonly string[] = []

/**
 * Makes what is inside the element fit into it, by leaving out parts of it.
 *
 * @param spare the parts that may be left out, the first first
 * @param isStandIn whether what is inside only stands for what is to come: its widths mean nothing then
 * @returns whether what is inside is still wider than the element, and what must be left out
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
  // At first and after each part left out: one less, until it fits, before anything is painted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown has changed with them.
  useLayoutEffect(() => measure(), [left, spare.length, isStandIn])
  // Then when a width changes, as the browser tells once it has laid everything out: asking after each rendering would make
  // it lay out the whole page in between.
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
