import { type RefCallback, useCallback, useState } from 'react'

/** Measures the width and height of an element in whole pixels and follows their changes; 0 until measured. */
export function useSize(): [RefCallback<HTMLDivElement>, width: number, height: number] {
  const [width, setWidth] = useState(0)
  const [height, setHeight] = useState(0)
  const follow = useCallback((element: HTMLDivElement) => {
    const measure = () => {
      const box = element.getBoundingClientRect()
      setWidth(Math.floor(box.width))
      setHeight(Math.floor(box.height))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  return [follow, width, height]
}
