import { Plus, SearchX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Pagination } from '#shared/contract.ts'
import { useColumnChoice } from '#web/column-choice.ts'
import { CardGrid } from '#web/crud/card-grid.tsx'
import { Figures } from '#web/crud/figures.tsx'
import { LineTable } from '#web/crud/line-table.tsx'
import { ListDialogs } from '#web/crud/list-dialogs.tsx'
import { ListFilters } from '#web/crud/list-filters.tsx'
import { CardActions, Details, type Opened } from '#web/crud/row-actions.tsx'
import { type AnyRow, columnsOf, type Subject } from '#web/crud/screens.ts'
import { wordsOf } from '#web/crud/words.ts'
import { ExportMenu } from '#web/export-menu.tsx'
import { useExistingPage, useListState } from '#web/list-state.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { useMay } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { ColumnsButton } from '#web/ui/columns-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Pager } from '#web/ui/pager.tsx'

/** What a page adds to the list of a resource. */
export type ListSlots = {
  /** Beside the title, before « Exporter ». */
  actions?: ReactNode
  /** Under the title, above counts and filters. */
  children?: ReactNode
}

/** The list of a resource: search, filters, cards or a table, pager, and the dialogs to create, edit and delete. */
export function ListScreen<Row extends AnyRow>(props: ListSlots & { subject: Subject<Row> }) {
  const { subject, actions, children } = props
  const { resource, screens } = subject
  const words = wordsOf(resource.noun)
  const list = useListState(resource)
  const answer = useAnswer(resource.list, { query: list.query }, { keepsPrevious: true })
  const columns = columnsOf(subject)
  const [choice, choose] = useColumnChoice(resource.name)
  const may = useMay()
  const [opened, setOpened] = useState<Opened<Row> | null>(null)

  const { rows, pagination } = readPage<Row>(answer.data, resource.listed)
  const title = screens.title ?? words.title
  const createButton = may(resource.permission.write) && (
    <Button variant="primary" icon={Plus} onClick={() => setOpened({ dialog: 'create' })}>
      {`Créer ${words.a}`}
    </Button>
  )
  const failure = answer.isError && (
    <LoadFailure
      title={`Erreur lors du chargement des ${resource.noun.many}`}
      answer={answer}
      compact={rows.length > 0}
    />
  )
  const empty = <Nothing title={words.none} noun={resource.noun.many} list={list} create={createButton} />
  const shown = { rows, loading: answer.isPending, refetching: answer.isPlaceholderData }
  useExistingPage(pagination, list.setPage)

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
      {children}
      {screens.figures && <Figures noun={resource.noun.many} figures={screens.figures} list={list} />}
      <ListFilters subject={subject} list={list} />
      {screens.layout === 'table' ? (
        <>
          {rows.length > 0 && failure}
          <LineTable
            {...shown}
            subject={subject}
            layout={screens}
            choice={choice}
            list={list}
            error={rows.length === 0 && failure}
            empty={empty}
            onOpen={setOpened}
          />
        </>
      ) : (
        <>
          {failure}
          {answer.isPending || rows.length > 0 ? (
            <CardGrid
              {...shown}
              label={title}
              columns={columns}
              rowKey={(row) => row.id}
              loading={answer.isPending && Math.min(list.query.limit, 12)}
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
      <ListDialogs subject={subject} opened={opened} onOpen={setOpened} onClose={() => setOpened(null)} />
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
