import type { Product } from '#features/products/products.contract.ts'
import { ProductFields } from '#features/products/ui/product-fields.tsx'
import { useProductForm } from '#features/products/ui/product-form.ts'
import { quoted } from '#web/crud/words.ts'
import { SaveDialog } from '#web/forms/save-dialog.tsx'

/** Creates a product, or edits the one given. */
export function ProductDialog({ product, onClose }: { product?: Product; onClose: () => void }) {
  const { form, product: read, sent, isFilled, onSave, onReload } = useProductForm(product)
  return (
    <SaveDialog
      title={product ? `Modifier le produit ${quoted(product.name)}` : 'Créer un produit'}
      submitLabel={product ? 'Enregistrer' : 'Créer'}
      submitDisabled={!isFilled}
      size="lg"
      form={form}
      onSave={onSave}
      onReload={onReload}
      onClose={onClose}
    >
      <ProductFields form={form} product={read} sent={sent} />
    </SaveDialog>
  )
}
