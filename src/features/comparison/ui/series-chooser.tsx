import { Plus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Comparison } from '#features/comparison/comparison.contract.ts'
import { labelsOf, sharedBy } from '#features/comparison/ui/labels.ts'
import { marketChoices } from '#features/markets/ui/choices.ts'
import { listOf } from '#features/prices/listed.rules.ts'
import { mostSeries } from '#features/prices/series/series.contract.ts'
import type { ComparedSeriesKey } from '#features/prices/series/series.rules.ts'
import { isStale } from '#features/prices/ui/price-movement.tsx'
import { productChoices } from '#features/products/ui/choices.ts'
import type { DayRange } from '#shared/fields.ts'
import { formatCount, formatDate } from '#web/format.ts'
import { Button } from '#web/ui/button.tsx'
import { linkInText } from '#web/ui/charts/link-within.tsx'
import { grounds } from '#web/ui/charts/series-colours.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import type { Option } from '#web/ui/use-options.ts'

type SeriesChooserProps = {
  series: readonly ComparedSeriesKey[]
  onChoose: (series: ComparedSeriesKey[]) => void
  /** The data of the series that are drawn. */
  data: Comparison['data']
  days: DayRange
}

/** The series shown, each with its colour, the prices that it rests on and what takes it away, and the two choices that add one. */
export function SeriesChooser({ series, onChoose, data, days }: SeriesChooserProps) {
  const [product, setProduct] = useState<Option | null>(null)
  const [market, setMarket] = useState<Option | null>(null)
  const last = data
    .flatMap(({ lastDay }) => lastDay ?? [])
    .sort()
    .at(-1)
  const isFull = series.length >= mostSeries
  const isKnown = series.some(
    ({ productId, marketId }) => productId === product?.value && marketId === market?.value,
  )
  const labels = labelsOf(data)
  const shared = sharedBy(data)
  const labelOf = (key: ComparedSeriesKey) => {
    const at = data.findIndex(
      ({ product, market }) => product.id === key.productId && market.id === key.marketId,
    )
    const drawn = data[at]
    if (!drawn) return {}
    const { count, lastDay } = drawn
    return {
      colour: grounds[at],
      label: labels[at],
      basis: (
        <>
          {linkInText(listOf({ ...days, ...key }), formatCount(count, 'relevé', 'relevés'))}
          {lastDay && lastDay !== last && `, le dernier le ${formatDate(lastDay)}`}
          {lastDay && isStale(lastDay) && ' (ancien)'}
        </>
      ),
    }
  }
  return (
    <div className="space-y-3">
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!product || !market || isFull || isKnown) return
          onChoose([...series, { productId: Number(product.value), marketId: Number(market.value) }])
          // The product stays: it is most often compared with itself elsewhere.
          setMarket(null)
          // The button goes dead under the hand: the next market is what is asked for.
          event.currentTarget.querySelectorAll<HTMLElement>('[role=combobox]')[1]?.focus()
        }}
      >
        <Combobox
          label="Produit"
          className="w-full sm:w-64"
          placeholder="Choisir un produit…"
          value={product}
          search={productChoices.search}
          onChange={setProduct}
        />
        <Combobox
          label="Marché"
          className="w-full sm:w-64"
          placeholder="Choisir un marché…"
          value={market}
          search={marketChoices.search}
          onChange={setMarket}
        />
        <Button
          type="submit"
          variant="primary"
          icon={Plus}
          disabled={!product || !market || isFull || isKnown}
        >
          Ajouter la série
        </Button>
      </form>
      {(isFull || isKnown) && (
        <p className="text-ink-soft" role="status">
          {isFull
            ? `${mostSeries} séries au plus\u00a0: retirez-en une pour en ajouter une autre.`
            : 'Cette série est déjà sur le graphique.'}
        </p>
      )}
      {shared && <p className="font-medium">{shared}</p>}
      {series.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="Séries comparées">
          {series.map((key) => (
            <ChosenSeries
              key={`${key.productId}-${key.marketId}`}
              chosen={key}
              {...labelOf(key)}
              onRemove={() => onChoose(series.filter((other) => other !== key))}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

type ChosenSeriesProps = {
  chosen: ComparedSeriesKey
  /** That of its line, its distinguishing detail and its basis, once loaded. */
  colour?: string | undefined
  label?: string | undefined
  basis?: ReactNode
  onRemove: () => void
}

function ChosenSeries({ chosen, colour, label, basis, onRemove }: ChosenSeriesProps) {
  const product = productChoices.useOption(chosen.productId)
  const market = marketChoices.useOption(chosen.marketId)
  const name = `${product?.label ?? '…'}, ${market?.label ?? '…'}`
  return (
    <li className="inline-flex max-w-full items-center gap-2 rounded-full border border-line-strong bg-surface pr-1 pl-3.5">
      <span className={`size-2.5 shrink-0 rounded-full ${colour ?? 'bg-line'}`} aria-hidden />
      <span className="min-w-0 py-1">
        <span className="mr-2 font-medium">{label ?? name}</span>
        {basis && <span className="inline-block text-xs text-ink-soft">{basis}</span>}
      </span>
      <button
        type="button"
        onClick={onRemove}
        className="grid size-11 shrink-0 place-items-center rounded-full hover:bg-sunken md:pointer-fine:size-8"
      >
        <span className="sr-only">{`Retirer la série ${name}`}</span>
        <X className="size-4" aria-hidden />
      </button>
    </li>
  )
}
