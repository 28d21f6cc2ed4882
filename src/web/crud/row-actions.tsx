import { Link } from '@tanstack/react-router'
import { Eye, Merge, Pencil, Trash2 } from 'lucide-react'
import { Details } from '#web/crud/details.tsx'
import type { AnyRow, RowAction, Subject } from '#web/crud/screens.ts'
import { quoted } from '#web/crud/words.ts'
import { useMay, useUser } from '#web/session.ts'
import { IconButton, iconButtonClass } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'

/** The dialog open over a list, and the row that it concerns. */
export type Opened<Row> =
  | { dialog: 'create' }
  | { dialog: 'detail' | 'edit' | 'merge' | 'delete'; row: Row }
  | { dialog: 'action'; action: RowAction<Row>; row: Row }

type RowActionsProps<Row> = { subject: Subject<Row>; row: Row; onOpen: (opened: Opened<Row>) => void }

/** The actions of a row on its card. */
export function CardActions<Row extends AnyRow>(props: RowActionsProps<Row>) {
  const { subject, row, onOpen } = props
  const { screens } = subject
  const name = quoted(screens.nameOf(row))
  const link = screens.layout === 'table' ? undefined : screens.link?.(row)
  return (
    <>
      <Details
        path={screens.detailPath?.(row)}
        onOpen={() => onOpen({ dialog: 'detail', row })}
        label={`Détails de ${name}`}
        className={buttonClass('ghost', 'px-3 text-river')}
      >
        Détails
      </Details>
      {link && (
        <Link
          to={link.to}
          search={link.search}
          aria-label={`${link.label} de ${name}`}
          className={buttonClass('ghost', 'px-3 text-river')}
        >
          {link.label}
        </Link>
      )}
      <span className="ml-auto flex">
        <IconActions {...props} />
      </span>
    </>
  )
}

/** The actions at the end of a table row, as icons only. */
export function LineActions<Row extends AnyRow>(props: RowActionsProps<Row>) {
  const { subject, row, onOpen } = props
  const label = `Voir ${quoted(subject.screens.nameOf(row))}`
  return (
    <>
      <Details
        path={subject.screens.detailPath?.(row)}
        onOpen={() => onOpen({ dialog: 'detail', row })}
        label={label}
        title={label}
        // On cards the title is already a link to the details.
        className={iconButtonClass('default', 'in-[ul]:hidden')}
      >
        <Eye className="size-4.5" aria-hidden />
      </Details>
      <IconActions {...props} />
    </>
  )
}

function IconActions<Row extends AnyRow>({ subject, row, onOpen }: RowActionsProps<Row>) {
  const { resource, screens } = subject
  const may = useMay()
  const user = useUser()
  const name = quoted(screens.nameOf(row))
  const others = screens.rowActions ?? []
  return (
    <>
      {others
        .filter(({ right = 'session', fits }) => may(right) && (!fits || fits(row, user)))
        .map((action) => (
          <IconButton
            key={action.label}
            icon={action.icon}
            label={`${action.label} de ${name}`}
            onClick={() => onOpen({ dialog: 'action', action, row })}
          />
        ))}
      {may(resource.permission.write) && !screens.isLocked?.(row, user) && (
        <>
          {screens.merge && (
            <IconButton
              icon={Merge}
              label={`Fusionner ${name}`}
              onClick={() => onOpen({ dialog: 'merge', row })}
            />
          )}
          <IconButton
            icon={Pencil}
            label={`Modifier ${name}`}
            onClick={() => onOpen({ dialog: 'edit', row })}
          />
          {!screens.isKept?.(row, user) && (
            <IconButton
              icon={Trash2}
              tone="danger"
              label={`Supprimer ${name}`}
              onClick={() => onOpen({ dialog: 'delete', row })}
            />
          )}
        </>
      )}
    </>
  )
}
