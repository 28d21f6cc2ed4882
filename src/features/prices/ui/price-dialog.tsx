import { useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { marketChoices, marketOption } from '#features/markets/ui/choices.ts'
import { PricePhotos } from '#features/prices/photos/ui/price-photos.tsx'
import { type Price, prices } from '#features/prices/prices.contract.ts'
import { oldestPriceDay } from '#features/prices/prices.rules.ts'
import { keepLastEntry, readLastEntry } from '#features/prices/ui/last-entry.ts'
import { useDoubt, useLastPrice } from '#features/prices/ui/price-doubt.tsx'
import { today } from '#features/prices/ui/price-selection.ts'
import { useProductsToPrice } from '#features/prices/ui/products-to-price.ts'
import { productChoices, productOption } from '#features/products/ui/choices.ts'
import { call } from '#web/api.ts'
import { formatTyped } from '#web/format.ts'
import { ChoiceField } from '#web/forms/choice-field.tsx'
import { currencyOptions } from '#web/forms/currencies.ts'
import { useRowForm } from '#web/forms/row-form.ts'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { useUser } from '#web/session.ts'
import { AmountField, DateField, TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import type { Option, SearchOptions } from '#web/ui/use-options.ts'

type PriceDialogProps = {
  /** The price to edit; absent to create one. */
  price?: Price
  /** The filters of the screen, proposed as the product and market of a new price. */
  product?: Option | null
  market?: Option | null
  onClose: () => void
}

type Values = z.input<typeof prices.create.body>
type Body = z.output<typeof prices.create.body>

const resource = { ...prices, versioned: 'updatedAt' }

/** Fields that the check of a price depends on. */
const checkedFields = ['productId', 'marketId', 'priceValue', 'currency', 'collectedAt'] as const

/** The form of a price: product, market, amount, collector and day. */
export function PriceDialog({ price, product = null, market = null, onClose }: PriceDialogProps) {
  const [last] = useState(readLastEntry)
  const lastMarket = marketChoices.useOption(price || market ? undefined : last.marketId)
  const blank = useBlank(product, market, last)
  const { form, read, onSave, onReload } = useRowForm({
    resource,
    row: price,
    valuesOf: (edited) => (edited ? valuesOf(edited) : blank),
    schema: prices.create.body,
  })
  const { register, control } = form
  const { errors } = form.formState
  const currency = useWatch({ control, name: 'currency' })
  const lastPrice = useLastPrice(control, read?.id)
  const [marketId, collectedAt, collectorName] = useWatch({
    control,
    name: ['marketId', 'collectedAt', 'collectorName'],
  })
  const toPrice = useProductsToPrice(read ? 0 : Number(marketId), collectedAt)
  const fields = useRef<HTMLDivElement>(null)
  const focusOn = (label: string) => {
    const box = fields.current?.querySelector<HTMLInputElement>(`[data-step="${label}"] input`)
    box?.focus()
    return box
  }
  const doubt = useDoubt(() => focusOn('price')?.select())

  const [added, setAdded] = useState(0)
  /** Empties the form for another product, and keeps market, day, currency and collector. */
  const beginAnother = () => {
    const typed = form.getValues()
    toPrice.leaveOut(Number(typed.productId))
    form.reset({ ...typed, productId: '', priceValue: '', source: '' })
    setAdded(added + 1)
    focusOn('product')?.click()
  }

  const save = async (body: Body) => {
    const { dirtyFields } = form.formState
    const isChanged = checkedFields.some((name) => dirtyFields[name])
    // A day is less precise than the stored instant, so it is sent only when it was changed.
    const write = async () => {
      const saved = await onSave(
        body.collectedAt === read?.observedOn ? { ...body, collectedAt: undefined } : body,
      )
      if (!read) keepLastEntry(body)
      return saved
    }
    return read && !isChanged ? write() : doubt.writeIfSure({ ...body, exceptId: read?.id }, write)
  }
  return (
    <>
      <SaveDialog
        title={price ? 'Modifier le prix' : 'Ajouter un prix'}
        submitLabel={price ? 'Enregistrer' : 'Ajouter'}
        another={price ? undefined : { label: 'Ajouter et continuer', begin: beginAnother }}
        form={form}
        onSave={save}
        onReload={onReload}
        onClose={onClose}
      >
        <div ref={fields} className="space-y-4">
          {price?.hasPhoto && <PricePhotos priceId={price.id} />}
          <div data-step="product">
            <ChoiceField
              label="Produit"
              required
              control={control}
              name="productId"
              search={toPrice.search}
              onChosen={() => marketId && focusOn('price')}
              initial={read ? [productOption(read.product)] : product ? [product] : []}
              first={{
                choices: productChoices,
                text: 'Aucun produit n’existe encore.',
                creates: 'products',
                label: 'Créer un produit',
                right: 'catalogue.write',
              }}
            />
          </div>
          <div>
            <ChoiceField
              label="Marché"
              required
              control={control}
              name="marketId"
              search={marketChoices.search}
              initial={[read ? marketOption(read.market) : (market ?? lastMarket)].filter(
                (option) => option !== null,
              )}
              first={{
                choices: marketChoices,
                text: 'Aucun marché n’existe encore.',
                creates: 'markets',
                label: 'Créer un marché',
                right: 'markets.write',
              }}
            />
          </div>
          <div className="grid grid-cols-2 gap-4" data-step="price">
            <AmountField
              key={added}
              label="Prix"
              required
              hint={lastPrice}
              unit={currency === 'USD' ? '$US' : 'FC'}
              error={errors.priceValue?.message}
              {...register('priceValue')}
            />
            <SelectField
              label="Devise"
              options={currencyOptions}
              error={errors.currency?.message}
              {...register('currency')}
            />
          </div>
        </div>
        <ChoiceField
          label="Collecteur"
          required
          control={control}
          name="collectorName"
          search={searchCollectors}
          // An imported file may name a collector who is not a user.
          initial={[{ value: collectorName, label: collectorName }]}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <DateField
            label="Date de collecte"
            required
            min={oldestPriceDay}
            max={today()}
            error={errors.collectedAt?.message}
            {...register('collectedAt')}
          />
          <TextField label="Source" maxLength={500} error={errors.source?.message} {...register('source')} />
        </div>
      </SaveDialog>
      {doubt.question}
    </>
  )
}

/** Roles whose users collect the prices that they enter. */
const fieldRoles = ['collector', 'agent']

const searchCollectors: SearchOptions = async (search, signal) => {
  const { data } = await call(prices.collectors, { query: { search }, signal })
  return [...new Set(data.map(({ name }) => name))].map((name) => ({ value: name, label: name }))
}

function useBlank(
  product: Option | null,
  market: Option | null,
  last: ReturnType<typeof readLastEntry>,
): Values {
  const { name, roles } = useUser()
  return {
    productId: product?.value ?? '',
    marketId: market?.value ?? last.marketId ?? '',
    priceValue: '',
    currency: 'CDF',
    collectorName: last.collectorName ?? (roles.some((role) => fieldRoles.includes(role)) ? name : ''),
    source: '',
    collectedAt: last.collectedAt ?? today(),
  }
}

function valuesOf(price: Price): Values {
  const { productId, marketId, priceValue, currency, collectorName, source, observedOn } = price
  return {
    productId,
    marketId,
    priceValue: formatTyped(priceValue),
    currency,
    collectorName,
    source: source ?? '',
    collectedAt: observedOn,
  }
}
