import { productAddresses } from '#features/products/products.addresses.ts'
import type { Product } from '#features/products/products.contract.ts'
import { choicesOf } from '#web/forms/choices.ts'
import type { Option } from '#web/ui/use-options.ts'

type Named = Pick<Product, 'id' | 'name' | 'weight' | 'format' | 'code'>

export const productChoices = choicesOf<Named>(productAddresses, productOption, 'Produit inconnu')

/** Returns a product as an option. Products may share a name, so the label includes weight and format. */
export function productOption({ id, name, weight, format, code }: Named): Option {
  return { value: id, label: `${name} · ${weight} · ${format}`, hint: code }
}
