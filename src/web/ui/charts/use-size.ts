import { type RefCallback, useCallback, useState } from 'react'

/** The width and height of an element in whole pixels, followed from when it appears; 0 until they are known. */
export function useSize(): [RefCallback<HTMLDivElement>, width: number, height: number] {
  const [width, setWidth] = useState(0)
  const [height, setHeight] = useState(0)
  const follow = useCallback((element: HTMLDivElement) => {
    const measure = (size: { width: number; height: number }) => {
      setWidth(Math.floor(size.width))
      setHeight(Math.floor(size.height))
    }
    const observer = new ResizeObserver(([entry]) => entry && measure(entry.contentRect))
    observer.observe(element)
    measure(element.getBoundingClientRect())
    return () => observer.disconnect()
  }, [])
  return [follow, width, height]
}
