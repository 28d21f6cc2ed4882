import { Link } from '@tanstack/react-router'
import type { Inflation } from '#features/inflation/inflation.contract.ts'
import { measureNames, publishedFigures } from '#features/inflation/published/published.contract.ts'
import { type InflationShown, isWeak, measureListed } from '#features/inflation/ui/shown.ts'
import type { Selected } from '#features/prices/listed.rules.ts'
import { formatDate, formatNumber, formatPercent, notAvailable } from '#web/format.ts'
import { useMay } from '#web/session.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { linkWithin } from '#web/ui/charts/link-within.tsx'
import type { Column } from '#web/ui/columns.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Table } from '#web/ui/table.tsx'

type Published = Inflation['published'][number]
type PublishedBesideProps = InflationShown & { isOfAll: boolean }

/** Shows our figures beside those of the INS and the BCC, with the reasons of the differences. */
export function PublishedBeside({ inflation, refetching, chosen, isOfAll }: PublishedBesideProps) {
  const canEnter = useMay()(publishedFigures.create.right)
  return (
    <section aria-labelledby="published-beside" className="space-y-3">
      <div>
        <h2 id="published-beside" className="text-base font-semibold">
          À côté des chiffres publiés
        </h2>
        <p className="mt-0.5 max-w-prose text-ink-soft">
          {`Ce que l’INS et la BCC ont publié ${chosen.location ? `pour ${chosen.location}` : 'pour tout le pays'}, et notre chiffre de la même semaine.`}
        </p>
      </div>
      <Table
        caption="Nos chiffres et les chiffres publiés"
        columns={columnsFor(isWeak(inflation), chosen)}
        rows={inflation?.published ?? []}
        rowKey={({ id }) => id}
        loading={inflation === undefined}
        skeletonRows={3}
        refetching={refetching}
        empty={
          <EmptyState
            compact
            title={
              isOfAll
                ? 'Aucun chiffre publié n’est saisi pour ces semaines'
                : 'Rien à comparer pour cette sélection'
            }
            action={
              isOfAll &&
              canEnter && (
                <Link to="/statistiques/publications" className={buttonClass()}>
                  Saisir un chiffre publié
                </Link>
              )
            }
          >
            {isOfAll
              ? 'Les chiffres de l’INS et de la BCC, saisis avec leur source, apparaîtront ici.'
              : 'Les chiffres publiés portent sur tous les produits\u00a0: retirez les filtres de catégorie et de produit.'}
          </EmptyState>
        }
      />
    </section>
  )
}

const columnsFor = (weak: boolean, chosen: Selected): readonly Column<Published>[] => [
  {
    key: 'week',
    header: 'Semaine',
    cell: ({ week, publisher, measure }) => (
      <>
        <span className="block whitespace-nowrap">{`${publisher}, ${formatDate(week)}`}</span>
        <span className="block text-xs text-ink-soft">{measureNames[measure]}</span>
      </>
    ),
  },
  {
    key: 'value',
    header: 'Publié',
    align: 'end',
    cell: ({ value }) => (
      <span className="whitespace-nowrap">{`${value > 0 ? '+' : ''}${formatNumber(value, 3)}\u00a0%`}</span>
    ),
  },
  {
    key: 'ours',
    header: 'Ntalo',
    align: 'end',
    cell: ({ ours, week, measure }) => (
      <span className={`font-medium whitespace-nowrap ${weak ? 'text-ink-soft' : ''}`}>
        {ours === null
          ? notAvailable
          : linkWithin(measureListed(chosen, measure, week), formatPercent(ours * 100))}
      </span>
    ),
  },
  {
    key: 'explanation',
    header: 'Pourquoi ils diffèrent',
    cell: ({ explanation, source }) => (
      <>
        <span className="block text-left">{explanation}</span>
        <span className="block text-left text-xs text-ink-soft">{`Source\u00a0: ${source}`}</span>
      </>
    ),
  },
]
