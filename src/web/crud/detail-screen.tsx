import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTitle } from '#web/arrival.ts'
import { BackButton } from '#web/back-button.tsx'
import { DeleteDialog } from '#web/crud/delete-dialog.tsx'
import { FormDialog } from '#web/crud/form-dialog.tsx'
import { RowMissing, ToList } from '#web/crud/row-missing.tsx'
import { type AnyRow, detailsOf, type Subject } from '#web/crud/screens.ts'
import { useAnswer } from '#web/query.ts'
import { useMay, useUser } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card, Facts } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageSkeleton } from '#web/ui/skeleton.tsx'

/** Layout of the page under its title, given the card of the row's details. */
export type DetailLayout<Row> = (row: Row, facts: ReactNode) => ReactNode

type DetailProps<Row> = { subject: Subject<Row>; children?: DetailLayout<Row> }

/** The detail page of a row, by the id in the address. */
export function DetailScreen<Row extends AnyRow>({ subject, children }: DetailProps<Row>) {
  const { resource, screens } = subject
  const { id }: { id?: string } = useParams({ strict: false })
  const answer = useAnswer(resource.find, { params: { id: Number(id) } })
  useTitle(answer.data && screens.nameOf(answer.data))

  // When a refresh fails, the page and any dialog open over it remain.
  if (answer.data) {
    return (
      <Detail subject={subject} row={answer.data}>
        {children}
      </Detail>
    )
  }
  if (answer.error) {
    return (
      <RowMissing noun={resource.noun} path={screens.path} title={screens.missingTitle} answer={answer} />
    )
  }
  return <PageSkeleton />
}

function Detail<Row extends AnyRow>({ subject, row, children }: DetailProps<Row> & { row: Row }) {
  const { resource, screens } = subject
  const navigate = useNavigate()
  const user = useUser()
  const canWrite = useMay()(resource.permission.write) && !screens.isLocked?.(row, user)
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null)
  const close = () => setOpened(null)
  const editPath = screens.editPath?.(row)
  const facts = (
    <Card>
      <Facts items={detailsOf(subject, row)} />
    </Card>
  )
  return (
    <>
      <PageHeader
        title={screens.nameOf(row)}
        description={screens.aboutOf?.(row) ?? resource.noun.one}
        back={<BackButton list={screens.path} />}
        actions={
          <>
            <ToList path={screens.path} />
            {canWrite && (
              <>
                {editPath ? (
                  <Link to={editPath} className={buttonClass()}>
                    <Pencil className="size-4" aria-hidden />
                    Modifier
                  </Link>
                ) : (
                  <Button icon={Pencil} onClick={() => setOpened('edit')}>
                    Modifier
                  </Button>
                )}
                {!screens.isKept?.(row, user) && (
                  <Button icon={Trash2} onClick={() => setOpened('delete')}>
                    Supprimer
                  </Button>
                )}
              </>
            )}
          </>
        }
      />
      {children ? children(row, facts) : <div className="max-w-3xl">{facts}</div>}
      {opened === 'edit' && <FormDialog subject={subject} row={row} onClose={close} />}
      {opened === 'delete' && (
        <DeleteDialog
          resource={resource}
          id={row.id}
          name={screens.nameOf(row)}
          deletionEffect={screens.deletionEffect}
          use={screens.usedBy?.(row)}
          onDone={() => navigate({ to: screens.path })}
          onClose={close}
        />
      )}
    </>
  )
}
