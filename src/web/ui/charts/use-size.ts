import { type RefCallback, useCallback, useState } from 'react'

/** The width and height of an element in whole pixels, followed from when it appears; 0 until they are measured. */
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
