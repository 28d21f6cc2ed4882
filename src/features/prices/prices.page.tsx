import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { FileText, FileUp, Plus } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { marketChoices } from '#features/markets/ui/choices.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { type Price, priceNoun, prices } from '#features/prices/prices.contract.ts'
import { followedList, type LivePrices, useLivePrices } from '#features/prices/ui/live-prices.ts'
import { LiveStatus } from '#features/prices/ui/live-status.tsx'
import { FiguresInShort, PriceFigures } from '#features/prices/ui/price-figures.tsx'
import { PriceFilters } from '#features/prices/ui/price-filters.tsx'
import {
  type PeriodChoice,
  type PriceSelection,
  periods,
  periodWords,
  usePriceSelection,
} from '#features/prices/ui/price-selection.ts'
import { nameOf, PriceTable, type PriceTableProps, priceColumns } from '#features/prices/ui/price-table.tsx'
import { useSummary } from '#features/prices/ui/summary.ts'
import { productChoices } from '#features/products/ui/choices.ts'
import { ViewsMenu } from '#features/saved-views/ui/views-menu.tsx'
import { ApiError } from '#web/api.ts'
import { useColumnChoice } from '#web/column-choice.ts'
import { useList } from '#web/crud/list.tsx'
import { ExportMenu, type FileChoice } from '#web/export-menu.tsx'
import { capitalise } from '#web/format.ts'
import { lazyCode } from '#web/lazy-code.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { useMay } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import type { ColumnChoice } from '#web/ui/columns.ts'
import { ColumnsButton } from '#web/ui/columns-button.tsx'
import { narrowScreen, useMediaQuery } from '#web/ui/media-query.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PhoneFold } from '#web/ui/phone-fold.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { SortState } from '#web/ui/table.tsx'

// Code that the first figures do not need is loaded later.
const PriceEvolution = lazyCode(() => import('#features/prices/ui/price-evolution.tsx'), 'PriceEvolution')
const DeleteDialog = lazyCode(() => import('#web/crud/delete-dialog.tsx'), 'DeleteDialog', 'dialog')
const PriceDialog = lazyCode(() => import('#features/prices/ui/price-dialog.tsx'), 'PriceDialog', 'dialog')

const forPrograms: FileChoice = { format: 'csv-machine', label: 'CSV pour programme', icon: FileText }

const periodLabels = { '1': 'Aujourd’hui', '7': '7j', '30': '30j', '90': '90j', all: 'Tout' }
const periodOptions = periods.map((value) => ({
  value,
  label: periodLabels[value],
  name: capitalise(periodWords(value)),
}))
const addPath = '/prices/add'
/** The default order of the list. */
const latestFirst: SortState = { key: 'observedOn', direction: 'desc' }
type Opened = { dialog: 'create' } | { dialog: 'edit' | 'delete'; price: Price } | null

/**
 * « Gestion des Prix »: figures, evolution and list of the selected prices; /prices/add opens the form of a new price.
 */
export function PricesPage() {
  const selection = usePriceSelection()
  const { chosen, query } = selection
  const may = useMay()
  // On a phone the chart is folded, and the list still follows the period.
  const isNarrow = useMediaQuery(narrowScreen)
  const canAdd = may(prices.create.right)
  const product = productChoices.useOption(chosen.productId)
  const market = marketChoices.useOption(chosen.marketId)
  const names = [productChoices.useName(chosen.productId), marketChoices.useName(chosen.marketId)]
  const [choice, choose] = useColumnChoice('prices')
  const live = useLivePrices(followedList(query))
  const [opened, setOpened, close] = useOpened(canAdd)
  const addButton = canAdd && (
    <Button variant="primary" icon={Plus} onClick={() => setOpened({ dialog: 'create' })}>
      Ajouter un prix
    </Button>
  )

  const periodButtons = (
    <Segmented<PeriodChoice | ''>
      label="Période"
      value={selection.period ?? ''}
      onChange={(next) => next && selection.setPeriod(next)}
      options={periodOptions}
    />
  )

  return (
    <>
      <PageHeader
        title="Gestion des Prix"
        description="Les prix relevés dans les marchés&nbsp;: leur niveau, leur évolution, et chaque relevé."
        actions={
          <>
            <ColumnsButton columns={priceColumns} choice={choice} onChoose={choose} />
            {may('prices.import') && (
              <Link to="/prices/imports" className={buttonClass()}>
                <FileUp className="size-4" aria-hidden />
                Importer
              </Link>
            )}
            <ViewsMenu />
            <ExportMenu endpoint={priceAddresses.exportAll} query={query} others={[forPrograms]} />
          </>
        }
        primary={addButton}
      />
      <PriceFilters selection={selection} />
      {isNarrow && <div className="flex *:flex-1">{periodButtons}</div>}
      <Overview
        selection={selection}
        subject={subjectOf(names, selection.isNarrowed)}
        actions={!isNarrow && periodButtons}
      />
      <PriceList
        selection={selection}
        live={live}
        choice={choice}
        // On a phone the button is at the bottom of the screen instead.
        addButton={!isNarrow && addButton}
        canDelete={may('prices.write')}
        onEdit={(price) => setOpened({ dialog: 'edit', price })}
        onDelete={(price) => setOpened({ dialog: 'delete', price })}
      />
      <Suspense>
        {opened?.dialog === 'create' && <PriceDialog product={product} market={market} onClose={close} />}
        {opened?.dialog === 'edit' && <PriceDialog price={opened.price} onClose={close} />}
        {opened?.dialog === 'delete' && (
          <DeleteDialog
            resource={{ noun: priceNoun, remove: prices.remove }}
            id={opened.price.id}
            name={nameOf(opened.price)}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}

type PriceListProps = Pick<PriceTableProps, 'canDelete' | 'onEdit' | 'onDelete'> & {
  selection: PriceSelection
  live: LivePrices
  choice: ColumnChoice
  addButton: ReactNode
}

/** The list of the selection, a component of its own so that its answer does not render the figures again. */
function PriceList({ selection, live, choice, addButton, ...actions }: PriceListProps) {
  const { answer, table, failure, pager } = useList(selection.list, {
    endpoint: prices.list,
    ask: () => selection.query,
    noun: priceNoun,
    ownOrder: latestFirst,
    nothing: {
      text: `Les prix relevés apparaîtront ici, le plus récent d’abord (${selection.periodText}).`,
      action: (
        <>
          <Button onClick={() => selection.setPeriod('all')}>Voir toutes les dates</Button>
          {addButton}
        </>
      ),
    },
    noMatch: {
      text: `Aucun relevé ne correspond à ces filtres (${selection.periodText}).`,
      reset: 'Effacer les filtres',
      action: selection.period !== 'all' && (
        <Button onClick={() => selection.setPeriod('all')}>Voir toutes les dates</Button>
      ),
    },
  })
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-y-2 sm:gap-x-6">
        <div>
          <h2 className="text-base font-semibold max-sm:sr-only">Relevés</h2>
          <p className="mt-0.5 text-ink-soft max-sm:hidden">{`Chaque prix de la sélection, ${selection.periodText}.`}</p>
        </div>
        <LiveStatus live={live} shownAt={answer.dataUpdatedAt} />
      </div>
      {!table.error && failure}
      <PriceTable
        {...table}
        rows={answer.data?.data ?? []}
        choice={choice}
        isFresh={({ id }) => live.isFresh(id)}
        {...actions}
      />
      {pager}
    </>
  )
}

type OverviewProps = { selection: PriceSelection; subject: string; actions: ReactNode }

/**
 * Figures and evolution of the selection, a component of their own so that their answer does not render the list again.
 */
function Overview({ selection: { figures, periodText }, subject, actions }: OverviewProps) {
  const summary = useSummary(figures)
  if (summary.error && !summary.data) {
    const isUnanswered = summary.error instanceof ApiError && summary.error.isUnanswered
    return (
      <>
        {/* The period of these buttons may differ from the one that failed to load. A lost network is reported by the list. */}
        {actions && <div className="flex justify-end">{actions}</div>}
        {!isUnanswered && (
          <LoadFailure compact title="Erreur lors du chargement des chiffres" answer={summary} />
        )}
      </>
    )
  }
  return (
    <PhoneFold summary={<FiguresInShort summary={summary.data} periodText={periodText} />}>
      <PriceFigures summary={summary.data} periodText={periodText} refetching={summary.isPlaceholderData} />
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <PriceEvolution
          summary={summary.data}
          subject={subject}
          periodText={periodText}
          query={figures}
          refetching={summary.isPlaceholderData}
          actions={actions}
        />
      </Suspense>
    </PhoneFold>
  )
}

/** Returns which dialog is open. At /prices/add it is the creation form, and closing it leaves that address. */
function useOpened(canAdd: boolean) {
  const navigate = useNavigate()
  const isAdding = useLocation({ select: ({ pathname }) => pathname === addPath })
  const [opened, setOpened] = useState<Opened>(isAdding && canAdd ? { dialog: 'create' } : null)
  const close = () => {
    setOpened(null)
    if (isAdding) void navigate({ to: '/prices', search: true, replace: true })
  }
  return [opened, setOpened, close] as const
}

function subjectOf(names: readonly (string | undefined)[], isNarrowed: boolean): string {
  const named = [...names, isNarrowed && 'prix filtrés'].filter(Boolean).join(', ')
  return capitalise(named) || 'Tous les produits et marchés'
}
