import { useWatch } from 'react-hook-form'
import { brandChoices } from '#features/brands/ui/choices.ts'
import { typeChoices } from '#features/product-types/ui/choices.ts'
import type { Product } from '#features/products/products.contract.ts'
import { ImageField } from '#features/products/ui/image-field.tsx'
import type { ProductFormState } from '#features/products/ui/product-form.ts'
import { useWritings } from '#features/products/ui/writings.ts'
import { ChoiceField } from '#web/forms/choice-field.tsx'
import { namedOption } from '#web/forms/choices.ts'
import { FirstStep } from '#web/forms/first-step.tsx'
import { SuggestField } from '#web/forms/suggestions.tsx'
import { AmountField, SelectField, TextField } from '#web/ui/inputs.tsx'

type ProductFieldsProps = {
  form: ProductFormState
  /** What is edited. */
  product: Product | undefined
  sent: number | null
}

/** The fields of a product, the same to create and to edit. */
export function ProductFields({ form, product, sent }: ProductFieldsProps) {
  const { register, control, formState } = form
  const { errors } = formState
  const { origins, formats } = useWritings()
  const currency = useWatch({ control, name: 'currency' })
  const text = (name: 'code' | 'name' | 'weight' | 'origin' | 'format') => ({
    required: true,
    maxLength: name === 'code' || name === 'weight' ? 100 : 200,
    error: errors[name]?.message,
    ...register(name),
  })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label="Code" placeholder="RIZ-LION-25" autoCapitalize="characters" {...text('code')} />
      <TextField label="Nom" placeholder="Riz parfumé Lion" {...text('name')} />
      <div>
        <ChoiceField
          control={control}
          name="typeId"
          label="Type"
          required
          placeholder="Choisir un type…"
          search={typeChoices.search}
          known={product ? [namedOption(product.type)] : []}
        />
        <FirstStep
          choices={typeChoices}
          text="Aucun type de produit n’existe encore."
          to="/products"
          search={{ tab: 'types' }}
          label="Créer un type"
          right="catalogue.write"
        />
      </div>
      <div>
        <ChoiceField
          control={control}
          name="brandId"
          label="Marque"
          required
          placeholder="Choisir une marque…"
          search={brandChoices.search}
          known={product?.brand ? [namedOption(product.brand)] : []}
        />
        <FirstStep
          choices={brandChoices}
          text="Aucune marque n’existe encore."
          to="/brands"
          label="Créer une marque"
          right="catalogue.write"
        />
      </div>
      <TextField label="Poids" placeholder="500g, 1,5 kg, 33cl…" {...text('weight')} />
      <SuggestField
        label="Format"
        placeholder="Sac, sachet, bouteille…"
        suggestions={formats}
        {...text('format')}
      />
      <AmountField
        label="Prix"
        required
        unit={currency === 'USD' ? '$US' : 'FC'}
        error={errors.price?.message}
        {...register('price')}
      />
      <SelectField
        label="Devise"
        required
        options={[
          { value: 'CDF', label: 'Franc (CDF)' },
          { value: 'USD', label: 'Dollar (USD)' },
        ]}
        error={errors.currency?.message}
        {...register('currency')}
      />
      <SuggestField
        label="Origine"
        placeholder="RD Congo, Zambie…"
        className="sm:col-span-2"
        suggestions={origins}
        {...text('origin')}
      />
      <div className="sm:col-span-2">
        <ImageField control={control} currentUrl={product?.image_url ?? null} sent={sent} />
      </div>
    </div>
  )
}
