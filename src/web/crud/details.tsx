import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type DetailsProps = {
  path?: string
  onOpen: () => void
  className: string
  children: ReactNode
  label?: string
  /** Shown on hover when the label is not visible. */
  title?: string
}

/** Opens the details of a row: a link to their page, or a button for their dialog. */
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
