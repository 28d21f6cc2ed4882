import { useLocation, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useColumnChoice } from '#web/column-choice.ts'
import { CardGrid } from '#web/crud/card-grid.tsx'
import { Details } from '#web/crud/details.tsx'
import { Figures } from '#web/crud/figures.tsx'
import { LineTable } from '#web/crud/line-table.tsx'
import { useList } from '#web/crud/list.tsx'
import { ListDialogs } from '#web/crud/list-dialogs.tsx'
import { ListFilters } from '#web/crud/list-filters.tsx'
import { CardActions, type Opened } from '#web/crud/row-actions.tsx'
import { type AnyRow, columnsOf, type Subject } from '#web/crud/screens.ts'
import { wordsOf } from '#web/crud/words.ts'
import { ExportMenu } from '#web/export-menu.tsx'
import { useListState } from '#web/list-state.ts'
import { useMay } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { ColumnsButton } from '#web/ui/columns-button.tsx'
import { narrowScreen, useMediaQuery } from '#web/ui/media-query.ts'
import { PageHeader } from '#web/ui/page-header.tsx'

/** Content that a page adds to the list of a resource. */
export type ListSlots = {
  /** Next to the title, before « Exporter ». */
  actions?: ReactNode
  /** Between the title and the counts and filters. */
  children?: ReactNode
}

/**
 * The list page of a resource: search, filters, cards or a table, pager, and the dialogs to create, edit and delete.
 */
export function ListScreen<Row extends AnyRow>(props: ListSlots & { subject: Subject<Row> }) {
  const { subject, actions, children } = props
  const { resource, screens } = subject
  const words = wordsOf(resource.noun)
  const list = useListState(resource)
  const columns = columnsOf(subject)
  const [choice, choose] = useColumnChoice(resource.name)
  const may = useMay()
  // On a phone, the search comes before the figures.
  const isNarrow = useMediaQuery(narrowScreen)
  const [opened, setOpened, close] = useOpened<Row>(may(resource.permission.write))

  const title = screens.title ?? words.title
  const createButton = may(resource.permission.write) && (
    <Button variant="primary" icon={Plus} onClick={() => setOpened({ dialog: 'create' })}>
      {`${screens.createVerb ?? 'Créer'} ${words.a}`}
    </Button>
  )
  const { answer, table, failure, empty, pager } = useList(list, {
    endpoint: resource.list,
    noun: resource.noun,
    ...(screens.layout === 'table' && { ownOrder: screens.ownOrder, pager: screens.pager }),
    nothing: {
      // Only users who may create rows are told how to fill the list.
      text:
        (may(resource.permission.write) && screens.whenEmpty) ||
        `La liste des ${resource.noun.many} est vide pour le moment.`,
      // On a phone the page header already has this button at the bottom of the screen.
      action: !isNarrow && createButton,
    },
  })
  // The contract of every list is `{ <listed>: rows, pagination }`.
  const rows: readonly Row[] = Object(answer.data)[resource.listed] ?? []

  return (
    <>
      <PageHeader
        title={title}
        description={screens.description}
        actions={
          <>
            {screens.layout === 'table' && (
              <ColumnsButton columns={columns} choice={choice} onChoose={choose} cards={screens.cards} />
            )}
            {actions}
            {may(resource.exportAll.right) && <ExportMenu endpoint={resource.exportAll} query={list.query} />}
          </>
        }
        primary={createButton}
      />
      {!isNarrow && children}
      <ListFilters subject={subject} list={list} />
      {isNarrow && children}
      {resource.figureLabels && <Figures resource={resource} list={list} />}
      {screens.layout === 'table' ? (
        <>
          {!table.error && failure}
          <LineTable
            {...table}
            subject={subject}
            rows={rows}
            choice={choice}
            cards={screens.cards}
            onOpen={setOpened}
          />
        </>
      ) : (
        <>
          {failure}
          {table.loading || rows.length > 0 ? (
            <CardGrid
              label={title}
              rows={rows}
              refetching={table.refetching}
              columns={columns}
              rowKey={(row) => row.id}
              loading={table.loading && Math.min(list.query.limit, 12)}
              title={(row) => (
                <Details
                  path={screens.detailPath?.(row)}
                  onOpen={() => setOpened({ dialog: 'detail', row })}
                  className="text-left hover:text-river hover:underline"
                >
                  {screens.nameOf(row)}
                </Details>
              )}
              actions={(row) => <CardActions subject={subject} row={row} onOpen={setOpened} />}
            />
          ) : (
            !failure && empty
          )}
        </>
      )}
      {pager}
      <ListDialogs subject={subject} opened={opened} onOpen={setOpened} onClose={close} />
    </>
  )
}

/** State of the open dialog. `#create` in the address opens the creation dialog, and closing it removes the hash. */
function useOpened<Row>(canCreate: boolean) {
  const navigate = useNavigate()
  const isCreating = useLocation({ select: ({ hash }) => hash === 'create' })
  const [opened, setOpened] = useState<Opened<Row> | null>(
    isCreating && canCreate ? { dialog: 'create' } : null,
  )
  const close = () => {
    setOpened(null)
    if (isCreating) void navigate({ to: '.', search: true, hash: '', replace: true })
  }
  return [opened, setOpened, close] as const
}
