import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { marketChoices } from '#features/markets/ui/choices.ts'
import { mostSeries } from '#features/prices/comparison/comparison.contract.ts'
import type { ComparedSeriesKey } from '#features/prices/comparison/comparison.rules.ts'
import { productChoices } from '#features/products/ui/choices.ts'
import { Button } from '#web/ui/button.tsx'
import { grounds } from '#web/ui/charts/series-colours.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import type { Option } from '#web/ui/use-options.ts'

type SeriesChooserProps = {
  series: readonly ComparedSeriesKey[]
  onChoose: (series: ComparedSeriesKey[]) => void
}

/** The series shown, each with its colour and what takes it away, and the two choices that add one. */
export function SeriesChooser({ series, onChoose }: SeriesChooserProps) {
  const [product, setProduct] = useState<Option | null>(null)
  const [market, setMarket] = useState<Option | null>(null)
  const isFull = series.length >= mostSeries
  const isKnown = series.some(
    ({ productId, marketId }) => productId === product?.value && marketId === market?.value,
  )
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
      {series.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="Séries comparées">
          {series.map((key, index) => (
            <ChosenSeries
              key={`${key.productId}-${key.marketId}`}
              chosen={key}
              colour={grounds[index] ?? ''}
              onRemove={() => onChoose(series.filter((other) => other !== key))}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

function ChosenSeries({
  chosen,
  colour,
  onRemove,
}: {
  chosen: ComparedSeriesKey
  colour: string
  onRemove: () => void
}) {
  const product = productChoices.useOption(chosen.productId)
  const market = marketChoices.useOption(chosen.marketId)
  return (
    <li className="max-w-full">
      <button
        type="button"
        onClick={onRemove}
        className="inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border border-line-strong bg-surface py-1 pr-2.5 pl-3.5 font-medium hover:bg-sunken md:pointer-fine:min-h-8"
      >
        <span className={`size-2.5 shrink-0 rounded-full ${colour}`} aria-hidden />
        <span className="sr-only">Retirer la série </span>
        <span className="min-w-0 text-left">{`${product?.label ?? '…'}, ${market?.label ?? '…'}`}</span>
        <X className="size-4 shrink-0" aria-hidden />
      </button>
    </li>
  )
}
