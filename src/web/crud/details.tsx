import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type DetailsProps = {
  path?: string
  onOpen: () => void
  className: string
  children: ReactNode
  label?: string
  /** Shown on hover, where the label is not written. */
  title?: string
}

/** The way to the details of one: a page of their own, or a dialog. */
export function Details({ path, onOpen, className, children, label, title }: DetailsProps) {
  return path ? (
    <Link to={path} aria-label={label} title={title} className={className}>
      {children}
    </Link>
  ) : (
    <button
      type="button"
      aria-label={label}
      title={title}
      aria-haspopup="dialog"
      className={className}
      onClick={onOpen}
    >
      {children}
    </button>
  )
}
