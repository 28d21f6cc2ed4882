import { type RefCallback, useCallback, useState } from 'react'

/** The width of an element in whole pixels, followed from when it appears; 0 until it is known. */
export function useWidth(): [RefCallback<HTMLDivElement>, number] {
  const [width, setWidth] = useState(0)
  const follow = useCallback((element: HTMLDivElement) => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    setWidth(Math.floor(element.getBoundingClientRect().width))
    return () => observer.disconnect()
  }, [])
  return [follow, width]
}
