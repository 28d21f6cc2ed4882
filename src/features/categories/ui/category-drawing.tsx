import type { ReactNode } from 'react'
import { type Drawing, drawingOf } from '#features/categories/drawings.rules.ts'

const accent = 'fill-ochre-fill/35'

// Our own drawings, on a grid of 48, with one line width and one tint.
const drawings: Record<Drawing, ReactNode> = {
  cereals: (
    <>
      <path className={accent} d="M24 15c-4-3-4-8 0-11 4 3 4 8 0 11Z" />
      <path className={accent} d="M24 23c-6 0-9-3-9-9 6 0 9 3 9 9Zm0 0c6 0 9-3 9-9-6 0-9 3-9 9Z" />
      <path className={accent} d="M24 33c-6 0-9-3-9-9 6 0 9 3 9 9Zm0 0c6 0 9-3 9-9-6 0-9 3-9 9Z" />
      <path d="M24 15v29" />
    </>
  ),
  pulses: (
    <>
      <path d="M7 33C9 18 22 7 41 7c0 19-11 32-26 34-5 1-9-3-8-8Z" />
      <g className={accent}>
        <circle cx="16" cy="32" r="4.5" />
        <circle cx="24" cy="24" r="4.5" />
        <circle cx="32" cy="16" r="4.5" />
      </g>
    </>
  ),
  oils: (
    <>
      <path d="M20 4h8v8l6 7v21a4 4 0 0 1-4 4H18a4 4 0 0 1-4-4V19l6-7V4Zm0 5h8" />
      <path className={accent} d="M24 21c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11Z" />
    </>
  ),
  meat: (
    <>
      <path className={accent} d="m34 24 10-9v18l-10-9Z" />
      <path d="M4 24c7-13 22-14 30 0-8 14-23 13-30 0Zm15-8c3 5 3 11 0 16" />
      <circle cx="12" cy="21.5" r="1" />
    </>
  ),
  dairy: (
    <>
      <path d="M19 10V5h10v5M13 19l6-9h10l6 9v23a2 2 0 0 1-2 2H15a2 2 0 0 1-2-2V19Z" />
      <path className={accent} d="M13 19h22v10c-4 4-7 4-11 0s-7-4-11 0V19Z" />
    </>
  ),
  vegetables: (
    <>
      <path d="M28 19c-1-6 1-11 6-14M29 20 41 7M29 20c6 1 11-1 14-6" />
      <path className={accent} d="M6 42c2-13 8-22 16-25l9 9c-3 8-12 14-25 16Z" />
      <path d="m17 25 4 4m-9 4 3 3" />
    </>
  ),
  drinks: (
    <>
      <path className={accent} d="M14.2 21h19.6L32 42a2 2 0 0 1-2 2H18a2 2 0 0 1-2-2l-1.8-21Z" />
      <path d="m13 10 1.2 11h19.6L35 10H13Zm13 0 4-7h5" />
    </>
  ),
  hygiene: (
    <>
      <rect className={accent} x="6" y="25" width="36" height="18" rx="9" />
      <path d="M16 34h16" />
      <circle cx="15" cy="15" r="4" />
      <circle cx="26" cy="8" r="3" />
      <circle cx="34" cy="16" r="5" />
    </>
  ),
  energy: (
    <>
      <path d="M24 4c2 9 13 13 13 25a13 13 0 0 1-26 0c0-6 3-9 5-13 1 4 3 5 5 6 1-7 1-12 3-18Z" />
      <path className={accent} d="M24 26c1 4 6 5 6 10a6 6 0 0 1-12 0c0-5 5-6 6-10Z" />
    </>
  ),
  clothes: (
    <>
      <path d="M17 7 6 13l4 10 6-3v22h16V20l6 3 4-10-11-6c-1 4-4 6-7 6s-6-2-7-6Z" />
      <path className={accent} d="M16 30h16v6H16z" />
    </>
  ),
  materials: (
    <>
      <path className={accent} d="M6 20h36v10H6z" />
      <path d="M6 10h36v30H6V10Zm0 10h36M6 30h36M18 10v10m12-10v10M12 20v10m12-10v10m12-10v10M18 30v10m12-10v10" />
    </>
  ),
  groceries: (
    <>
      <path d="M14 5h20v7H14V5Zm1 7h18v4l3 5v20a3 3 0 0 1-3 3H15a3 3 0 0 1-3-3V21l3-5v-4Z" />
      <path className={accent} d="M12 24h24v12H12z" />
    </>
  ),
  basket: (
    <>
      <path className={accent} d="M9 25h30l-3 16a3 3 0 0 1-3 3H15a3 3 0 0 1-3-3L9 25Z" />
      <path d="M5 19h38v6H5v-6Zm10 0 7-14m11 14L26 5m-7 26v7m5-7v7m5-7v7" />
    </>
  ),
}

type CategoryDrawingProps = {
  /** Name of the category. */
  category: string
  className?: string
}

/** The drawing of a category, in place of a picture. Hidden from screen readers, since the name is beside it. */
export function CategoryDrawing({ category, className = 'size-12' }: CategoryDrawingProps) {
  return (
    <svg
      viewBox="0 0 48 48"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      // Keeps the line width the same at any size.
      className={`**:[vector-effect:non-scaling-stroke] ${className}`}
    >
      {drawings[drawingOf(category)]}
    </svg>
  )
}
