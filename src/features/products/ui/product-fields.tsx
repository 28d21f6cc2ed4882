import { useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { brandChoices } from '#features/brands/ui/choices.ts'
import { typeChoices } from '#features/product-types/ui/choices.ts'
import {
  type Product,
  productFormats,
  productOrigins,
  type products,
} from '#features/products/products.contract.ts'
import { ImageField } from '#features/products/ui/image-field.tsx'
import { noBrand } from '#features/products/ui/product-columns.tsx'
import type { Fields } from '#web/crud/screens.ts'
import { ChoiceField } from '#web/forms/choice-field.tsx'
import { namedOption } from '#web/forms/choices.ts'
import { currencyOptions } from '#web/forms/currencies.ts'
import { SuggestField } from '#web/forms/suggestions.tsx'
import { AmountField, TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

type ProductFieldsProps = {
  form: Fields<z.input<typeof products.input>, keyof typeof products.labels>
  /** The product to edit. */
  product: Product | undefined
}

/** The fields of a product, used to create and to edit one. */
export function ProductFields({ form, product }: ProductFieldsProps) {
  const { control, field, labels, sent } = form
  const currency = useWatch({ control, name: 'currency' })
  const text = (name: 'code' | 'name' | 'weight' | 'origin' | 'format') => ({
    required: true,
    maxLength: name === 'code' || name === 'weight' ? 100 : 200,
    ...field(name),
  })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField placeholder="RIZ-LION-25" autoCapitalize="characters" {...text('code')} />
      <TextField placeholder="Riz parfumé Lion" {...text('name')} />
      <ChoiceField
        control={control}
        name="typeId"
        label={labels.typeId}
        required
        placeholder="Choisir un type…"
        search={typeChoices.search}
        initial={product ? [namedOption(product.type)] : []}
        first={{
          choices: typeChoices,
          text: 'Aucun type de produit n’existe encore.',
          creates: 'product-types',
          label: 'Créer un type',
          right: 'catalogue.write',
        }}
      />
      <ChoiceField
        control={control}
        name="brandId"
        label={labels.brandId}
        required={!product || product.brand !== null}
        placeholder={product && product.brand === null ? noBrand : 'Choisir une marque…'}
        search={brandChoices.search}
        initial={product?.brand ? [namedOption(product.brand)] : []}
        first={{
          choices: brandChoices,
          text: 'Aucune marque n’existe encore.',
          creates: 'brands',
          label: 'Créer une marque',
          right: 'catalogue.write',
        }}
      />
      <TextField placeholder="500g, 1,5 kg, 33cl…" {...text('weight')} />
      <SuggestField placeholder="Sac, sachet, bouteille…" suggestions={productFormats} {...text('format')} />
      <AmountField required unit={currency === 'USD' ? '$US' : 'FC'} {...field('price')} />
      <SelectField required options={currencyOptions} {...field('currency')} />
      <SuggestField
        placeholder="RD Congo, Zambie…"
        className="sm:col-span-2"
        suggestions={productOrigins}
        {...text('origin')}
      />
      <div className="sm:col-span-2">
        <ImageField control={control} currentUrl={product?.image_url ?? null} sent={sent} />
      </div>
    </div>
  )
}
