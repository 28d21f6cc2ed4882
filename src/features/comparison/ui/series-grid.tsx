import { Link } from '@tanstack/react-router'
import { type ChangeEvent, type ReactNode, useState } from 'react'
import { marketChoices } from '#features/markets/ui/choices.ts'
import type { LatestPrice, latestPricesOfProduct } from '#features/prices/latest/latest.contract.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { mostSeries } from '#features/prices/series/series.contract.ts'
import { type ComparedSeriesKey, seriesText } from '#features/prices/series/series.rules.ts'
import { Age, isTooOld } from '#features/prices/ui/age.tsx'
import { productChoices } from '#features/products/ui/choices.ts'
import { formatMoney } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'
import { backgrounds } from '#web/ui/charts/series-colours.ts'
import { Combobox } from '#web/ui/combobox.tsx'

type Added = { products: readonly number[]; markets: readonly number[] }

const nothingAdded: Added = { products: [], markets: [] }

type SeriesGridProps = {
  series: readonly ComparedSeriesKey[]
  onChoose: (series: ComparedSeriesKey[]) => void
  /** Returns the colour of the line of a series, if it is drawn. */
  colourOf: (series: ComparedSeriesKey) => number | undefined
}

/**
 * Shows products in rows, markets in columns, and the last price in each cell: a checkbox in a cell draws its series,
 * one in a header its row or column. It is both the selection and the table of the drawn series.
 */
export function SeriesGrid({ series, onChoose, colourOf }: SeriesGridProps) {
  const [added, setAdded] = useState(nothingAdded)
  const [isFull, setFull] = useState(false)
  const text = seriesText(series)
  const [selected, setSelected] = useState({ shown: text, chosen: text })
  // The address was changed elsewhere, by a saved view or by Back: what was added to the former selection goes.
  if (text !== selected.shown) {
    setSelected({ ...selected, shown: text })
    if (text !== selected.chosen) {
      setAdded(nothingAdded)
      setFull(false)
    }
  }
  const products = [...new Set([...series.map(({ productId }) => productId), ...added.products])]
  const markets = [...new Set([...series.map(({ marketId }) => marketId), ...added.markets])]
  const has = (one: ComparedSeriesKey) => series.some((other) => isSame(one, other))

  const tick = (wanted: readonly ComparedSeriesKey[], isOn: boolean) => {
    const next = isOn
      ? [...series, ...wanted.filter((one) => !has(one))]
      : series.filter((one) => !wanted.some((other) => isSame(one, other)))
    setFull(next.length > mostSeries)
    const chosen = next.slice(0, mostSeries)
    setSelected({ ...selected, chosen: seriesText(chosen) })
    onChoose(chosen)
    // An unchecked series keeps its row and its column.
    setAdded({ products, markets })
  }
  const add = (key: 'products' | 'markets', id: number) => {
    const next = {
      products: key === 'products' ? [...products, id] : products,
      markets: key === 'markets' ? [...markets, id] : markets,
    }
    const wanted =
      key === 'products'
        ? markets.map((marketId) => ({ productId: id, marketId }))
        : products.map((productId) => ({ productId, marketId: id }))
    tick(wanted, true)
    setAdded(next)
  }
  const row = (productId: number) => markets.map((marketId) => ({ productId, marketId }))
  const column = (marketId: number) => products.map((productId) => ({ productId, marketId }))

  return (
    <div className="space-y-3">
      {products.length > 0 && markets.length > 0 && (
        <section
          aria-label="Séries comparées"
          className="overflow-x-auto rounded-md border border-line bg-surface"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that may scroll must be reachable by keyboard.
          tabIndex={0}
        >
          <table className="w-full">
            <thead>
              <tr className="border-b border-line align-bottom">
                <th scope="col" className="sticky left-0 z-1 bg-surface px-4 py-2 text-left font-medium">
                  Produit
                </th>
                {markets.map((marketId) => (
                  <th key={marketId} scope="col" className="min-w-32 px-3 py-2 text-right font-medium">
                    <ColumnTick
                      {...stateOf(column(marketId), has)}
                      label={<MarketName id={marketId} />}
                      onChange={(isOn) => tick(column(marketId), isOn)}
                    />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {products.map((productId) => (
                <Row
                  key={productId}
                  productId={productId}
                  markets={markets}
                  has={has}
                  colourOf={colourOf}
                  tick={tick}
                  row={row(productId)}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <div className="flex flex-wrap gap-3">
        <Adder
          label="Produit"
          placeholder="Ajouter un produit…"
          choices={productChoices}
          onAdd={(id) => add('products', id)}
        />
        <Adder
          label="Marché"
          placeholder="Ajouter un marché…"
          choices={marketChoices}
          onAdd={(id) => add('markets', id)}
        />
      </div>
      {isFull && (
        <p className="text-ink-soft" role="status">
          {`${mostSeries} séries au plus\u00a0: décochez-en une pour en cocher une autre.`}
        </p>
      )}
      {products.length > 0 !== markets.length > 0 && (
        <p className="text-ink-soft" role="status">
          {products.length > 0 ? 'Ajoutez un marché.' : 'Ajoutez un produit.'}
        </p>
      )}
    </div>
  )
}

type RowProps = Pick<SeriesGridProps, 'colourOf'> & {
  productId: number
  markets: readonly number[]
  row: readonly ComparedSeriesKey[]
  has: (one: ComparedSeriesKey) => boolean
  tick: (wanted: readonly ComparedSeriesKey[], isOn: boolean) => void
}

function Row({ productId, markets, row, has, colourOf, tick }: RowProps) {
  const product = productChoices.useName(productId) ?? ''
  const latest = useAnswer<typeof latestPricesOfProduct>(priceAddresses.latestOfProduct, {
    params: { id: productId },
  })
  const isCut = latest.data !== undefined && latest.data.total > latest.data.data.length
  const prices = new Map(latest.data?.data.map((price) => [price.market.id, price]))
  return (
    <tr className="border-b border-line last:border-0">
      <th
        scope="row"
        className="sticky left-0 z-1 max-w-48 min-w-36 bg-surface px-4 py-2 text-left font-normal"
      >
        <Tick {...stateOf(row, has)} label={product} onChange={(isOn) => tick(row, isOn)} />
      </th>
      {markets.map((marketId) => {
        const one = { productId, marketId }
        const colour = colourOf(one)
        return (
          <td key={marketId} className="px-3 py-1 text-right">
            <div className="flex items-center justify-end gap-2">
              <LastPriceLink price={prices.get(marketId)} of={one} isCut={isCut} />
              <CellTick of={one} product={product} isOn={has(one)} onChange={(isOn) => tick([one], isOn)} />
              <span
                className={`${dotClass} ${colour === undefined ? 'bg-transparent' : backgrounds[colour]}`}
                aria-hidden
              />
            </div>
          </td>
        )
      })}
    </tr>
  )
}

type LastPriceLinkProps = {
  price: LatestPrice | undefined
  of: ComparedSeriesKey
  /** Whether the list of last prices omits some markets. */
  isCut: boolean
}

function LastPriceLink({ price, of, isCut }: LastPriceLinkProps) {
  if (!price && !isCut) return <span className="text-ink-soft">–</span>
  const target = {
    to: '/series/$productId/$marketId',
    params: { productId: String(of.productId), marketId: String(of.marketId) },
  } as const
  if (!price)
    return (
      <Link {...target} className="text-river hover:underline">
        Voir
      </Link>
    )
  return (
    <Link {...target} className="group/price text-right">
      <span
        className={`block font-semibold whitespace-nowrap tabular-nums group-hover/price:underline ${isTooOld(price.observedOn) ? 'text-ink-soft' : ''}`}
      >
        {formatMoney(price.priceValue, price.currency)}
      </span>
      <span className="block text-xs text-ink-soft">
        <Age day={price.observedOn} />
      </span>
    </Link>
  )
}

type TickProps = {
  isOn: boolean
  isPartly: boolean
  label: ReactNode
  onChange: (isOn: boolean) => void
}

/** The checkbox of a whole row. */
function Tick({ label, ...box }: TickProps) {
  return (
    <label className="inline-flex min-h-11 cursor-pointer items-center gap-2.5 wrap-anywhere md:pointer-fine:min-h-8">
      <input {...boxOf(box)} />
      <span>{label}</span>
    </label>
  )
}

/** The checkbox of a whole column, above those of its cells. */
function ColumnTick({ label, ...box }: TickProps) {
  return (
    <label className="flex cursor-pointer items-center justify-end gap-2 wrap-anywhere">
      <span>{label}</span>
      <span className={cellTickClass}>
        <input {...boxOf(box)} />
      </span>
      <span className={dotClass} />
    </label>
  )
}

const cellTickClass = 'grid size-11 shrink-0 cursor-pointer place-items-center md:pointer-fine:size-8'
const dotClass = 'size-2.5 shrink-0 rounded-full'

/** The attributes of a checkbox, which a label must contain itself. */
function boxOf({ isOn, isPartly, onChange }: Omit<TickProps, 'label'>) {
  return {
    type: 'checkbox',
    className: 'size-4.5 shrink-0 accent-river',
    checked: isOn,
    ref: (box: HTMLInputElement | null) => {
      if (box) box.indeterminate = isPartly
    },
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange(event.target.checked),
  }
}

type CellTickProps = {
  of: ComparedSeriesKey
  product: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

function CellTick({ of, product, isOn, onChange }: CellTickProps) {
  const market = marketChoices.useName(of.marketId)
  return (
    <label className={cellTickClass}>
      <input {...boxOf({ isOn, isPartly: false, onChange })} aria-label={`${product}, ${market}`} />
    </label>
  )
}

function MarketName({ id }: { id: number }) {
  return marketChoices.useName(id)
}

type AdderProps = {
  label: string
  placeholder: string
  choices: Pick<typeof productChoices, 'search'>
  onAdd: (id: number) => void
}

function Adder({ label, placeholder, choices, onAdd }: AdderProps) {
  return (
    <Combobox
      label={label}
      className="min-w-32 flex-1 sm:max-w-72"
      placeholder={placeholder}
      value={null}
      search={choices.search}
      onChange={(option) => option && onAdd(Number(option.value))}
    />
  )
}

function isSame(one: ComparedSeriesKey, other: ComparedSeriesKey): boolean {
  return one.productId === other.productId && one.marketId === other.marketId
}

function stateOf(wanted: readonly ComparedSeriesKey[], has: (one: ComparedSeriesKey) => boolean) {
  const count = wanted.filter(has).length
  return { isOn: count === wanted.length && count > 0, isPartly: count > 0 && count < wanted.length }
}
