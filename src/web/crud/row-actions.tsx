import { Link } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { quoted } from '#web/crud/words.ts'
import { IconButton } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'

type DetailsProps = {
  path?: string
  onOpen: () => void
  className: string
  children: ReactNode
  label?: string
}

/** The way to the details of one: a page of their own, or a dialog. */
export function Details({ path, onOpen, className, children, label }: DetailsProps) {
  return path ? (
    <Link to={path} aria-label={label} className={className}>
      {children}
    </Link>
  ) : (
    <button type="button" aria-label={label} aria-haspopup="dialog" className={className} onClick={onOpen}>
      {children}
    </button>
  )
}

type RowActionsProps = {
  name: string
  detailPath?: string
  link?: { label: string; to: string; search?: Record<string, string | number> }
  onDetail: () => void
  onEdit?: () => void
  onDelete?: () => void
}

/** What can be done with one of a list. */
export function RowActions({ name, detailPath, link, onDetail, onEdit, onDelete }: RowActionsProps) {
  return (
    <>
      <Details
        path={detailPath}
        onOpen={onDetail}
        label={`Détails de ${quoted(name)}`}
        className={buttonClass('ghost', 'px-3 text-river')}
      >
        Détails
      </Details>
      {link && (
        <Link
          to={link.to}
          search={link.search}
          aria-label={`${link.label} de ${quoted(name)}`}
          className={buttonClass('ghost', 'px-3 text-river')}
        >
          {link.label}
        </Link>
      )}
      <span className="ml-auto flex">
        {onEdit && <IconButton icon={Pencil} label={`Modifier ${quoted(name)}`} onClick={onEdit} />}
        {onDelete && (
          <IconButton icon={Trash2} tone="danger" label={`Supprimer ${quoted(name)}`} onClick={onDelete} />
        )}
      </span>
    </>
  )
}
