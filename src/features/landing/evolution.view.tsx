import type { PublicFigures } from '#features/landing/landing.contract.ts'
import { sampleBrands, sampleCategories, sampleSubscriptions } from '#features/landing/samples.rules.ts'
import { FigurePanel, FiguresTable, PublicSection } from '#features/landing/section.view.tsx'
import { formatCount, formatDate, formatNumber, plural } from '#web/format.ts'
import { BarList } from '#web/ui/charts/bar-list.view.tsx'
import { FluidLine } from '#web/ui/charts/fluid-line.view.tsx'

type EvolutionProps = { figures: PublicFigures; isEmpty: boolean }

/** Shows the growth of the platform: its brands, categories and subscriptions. */
export function Evolution({ figures, isEmpty }: EvolutionProps) {
  const brands = isEmpty ? sampleBrands : figures.brands
  const categories = isEmpty ? sampleCategories : figures.categories
  const days = figures.subscriptions.map(({ date, count }, index) => ({
    date,
    value: isEmpty ? (sampleSubscriptions[index] ?? 0) : count,
  }))
  const total = days.reduce((sum, { value }) => sum + value, 0)
  return (
    <PublicSection
      id="evolution"
      isFolded
      title="Une plateforme qui s’étend"
      lead="Ce qui est suivi aujourd’hui, compté dans la base au moment où vous lisez."
    >
      <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        <FigurePanel
          title="Marques les plus suivies"
          measure="Produits par marque"
          isSample={isEmpty}
          definition="/methode#plateforme"
        >
          <Counts rows={brands} mostLetters={12} />
        </FigurePanel>
        <FigurePanel
          title="Produits par catégorie"
          measure="Nombre de produits"
          isSample={isEmpty}
          definition="/methode#plateforme"
        >
          <Counts rows={categories} />
        </FigurePanel>
        <FigurePanel
          title="Abonnements par jour"
          measure={`${formatCount(total, 'abonnement', 'abonnements')} en sept jours`}
          isSample={isEmpty}
          definition="/methode#plateforme"
          className="md:max-lg:col-span-2"
          footer={
            <FiguresTable
              columns={['Jour', 'Abonnements']}
              rows={days.map(({ date, value }) => [formatDate(date), formatNumber(value)])}
            />
          }
        >
          <FluidLine points={days} maxGapDays={1} formatValue={formatNumber} className="min-h-40" area />
        </FigurePanel>
      </div>
    </PublicSection>
  )
}

type CountsProps = { rows: PublicFigures['brands']; mostLetters?: number }

function Counts({ rows, mostLetters }: CountsProps) {
  if (rows.length === 0) return <p className="text-ink-soft">Aucun produit pour le moment.</p>
  return (
    <BarList
      mostLetters={mostLetters}
      rows={rows.map(({ id, name, count }) => ({
        key: id,
        name,
        bars: [{ value: count, text: formatNumber(count) }],
      }))}
    />
  )
}

/** Shows four counts of the platform. */
export function PlatformFigures({ totals }: { totals: PublicFigures['totals'] }) {
  const figures = [
    { value: totals.prices, label: plural(totals.prices, 'prix collecté', 'prix collectés') },
    { value: totals.products, label: plural(totals.products, 'produit suivi', 'produits suivis') },
    { value: totals.markets, label: plural(totals.markets, 'marché couvert', 'marchés couverts') },
    { value: totals.users, label: plural(totals.users, 'utilisateur actif', 'utilisateurs actifs') },
  ]
  return (
    <section aria-label="Chiffres de la plateforme" className="border-b border-line bg-surface">
      <dl className="mx-auto grid max-w-6xl grid-cols-4 gap-x-1 px-4 py-4 md:gap-x-4 md:px-8 md:py-8">
        {figures.map(({ value, label }) => (
          <div
            key={label}
            className="flex flex-col-reverse justify-end border-l-2 border-river pl-1.5 md:pl-4"
          >
            <dt className="text-ink-soft max-md:text-xs">{label}</dt>
            <dd className="font-semibold tracking-tight md:text-xl">{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
