import { Plus, SearchX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Pagination } from '#shared/contract.ts'
import { CardGrid } from '#web/crud/card-grid.tsx'
import { DeleteDialog } from '#web/crud/delete-dialog.tsx'
import { DetailDialog } from '#web/crud/detail-dialog.tsx'
import { Figures } from '#web/crud/figures.tsx'
import { FormDialog } from '#web/crud/form-dialog.tsx'
import { ListFilters } from '#web/crud/list-filters.tsx'
import { Details, RowActions } from '#web/crud/row-actions.tsx'
import type { AnyRow, Subject } from '#web/crud/screens.ts'
import { wordsOf } from '#web/crud/words.ts'
import { ExportMenu } from '#web/export-menu.tsx'
import { useExistingPage, useListState } from '#web/list-state.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { useMay } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Pager } from '#web/ui/pager.tsx'

type Opened<Row> = { dialog: 'create' } | { dialog: 'detail' | 'edit' | 'delete'; row: Row } | null

/** The list of a resource: search, filters, cards, pager, and the dialogs to create, edit and delete. */
export function ListScreen<Row extends AnyRow>({ subject }: { subject: Subject<Row> }) {
  const { resource, screens } = subject
  const words = wordsOf(resource.noun)
  const list = useListState(resource)
  const answer = useAnswer(resource.list, { query: list.query }, { keepsPrevious: true })
  const canWrite = useMay()(resource.permission.write)
  const [opened, setOpened] = useState<Opened<Row>>(null)
  const close = () => setOpened(null)

  const { rows, pagination } = readPage<Row>(answer.data, resource.listed)
  const isFirstLoad = answer.isPending
  const createLabel = `Créer ${words.a}`
  const createButton = canWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setOpened({ dialog: 'create' })}>
      {createLabel}
    </Button>
  )
  useExistingPage(pagination, list.setPage)

  return (
    <>
      <PageHeader
        title={words.title}
        description={screens.description}
        actions={<ExportMenu endpoint={resource.exportAll} query={list.query} />}
        primary={createButton}
      />
      {screens.figures && <Figures noun={resource.noun.many} figures={screens.figures} list={list} />}
      <ListFilters subject={subject} list={list} />
      {answer.isError && (
        <LoadFailure
          title={`Erreur lors du chargement des ${resource.noun.many}`}
          answer={answer}
          compact={rows.length > 0}
        />
      )}
      {isFirstLoad || rows.length > 0 ? (
        <CardGrid
          label={words.title}
          columns={screens.columns}
          rows={rows}
          rowKey={(row) => row.id}
          loading={isFirstLoad && Math.min(list.query.limit, 12)}
          refetching={answer.isPlaceholderData}
          title={(row) => (
            <Details
              path={screens.detailPath?.(row)}
              onOpen={() => setOpened({ dialog: 'detail', row })}
              className="text-left hover:text-river hover:underline"
            >
              {screens.nameOf(row)}
            </Details>
          )}
          actions={(row) => (
            <RowActions
              name={screens.nameOf(row)}
              detailPath={screens.detailPath?.(row)}
              link={screens.link?.(row)}
              onDetail={() => setOpened({ dialog: 'detail', row })}
              onEdit={canWrite ? () => setOpened({ dialog: 'edit', row }) : undefined}
              onDelete={canWrite ? () => setOpened({ dialog: 'delete', row }) : undefined}
            />
          )}
        />
      ) : (
        !answer.isError && (
          <Nothing title={words.none} noun={resource.noun.many} list={list} create={createButton} />
        )
      )}
      {pagination && (
        <Pager
          {...pagination}
          page={list.query.page}
          limit={list.query.limit}
          onPage={(page) => list.setPage(page)}
          onLimit={list.setLimit}
          noun={words.count}
          busy={answer.isFetching}
        />
      )}
      {opened?.dialog === 'detail' && (
        <DetailDialog
          subject={subject}
          row={opened.row}
          onEdit={canWrite ? () => setOpened({ dialog: 'edit', row: opened.row }) : undefined}
          onClose={close}
        />
      )}
      {opened?.dialog === 'create' && <FormDialog subject={subject} onClose={close} />}
      {opened?.dialog === 'edit' && <FormDialog subject={subject} row={opened.row} onClose={close} />}
      {opened?.dialog === 'delete' && (
        <DeleteDialog
          resource={resource}
          id={opened.row.id}
          name={screens.nameOf(opened.row)}
          onClose={close}
        />
      )}
    </>
  )
}

type NothingProps = {
  title: string
  noun: string
  list: { isFiltered: boolean; reset: () => void }
  /** The button above once more, for who may use it. */
  create: ReactNode
}

function Nothing({ title, noun, list, create }: NothingProps) {
  if (!list.isFiltered) {
    return (
      <EmptyState title={title} action={create}>
        {`La liste des ${noun} est vide.`}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={title}
      icon={SearchX}
      action={<Button onClick={list.reset}>Effacer la recherche et les filtres</Button>}
    >
      Rien ne correspond à cette recherche. Essayez d’autres mots, ou moins de filtres.
    </EmptyState>
  )
}

/** The rows and the pagination of a list's answer, empty until there is one. */
function readPage<Row>(answer: unknown, listed: string): { rows: readonly Row[]; pagination?: Pagination } {
  // The contract of every list is `{ <listed>: rows, pagination }`.
  const { [listed]: rows = [], pagination } = Object(answer)
  return { rows, pagination }
}
