import { useNavigate, useParams } from '@tanstack/react-router'
import { type Product, products } from '#features/products/products.contract.ts'
import { ProductFields } from '#features/products/ui/product-fields.tsx'
import { useProductForm } from '#features/products/ui/product-form.ts'
import { ProductMissing } from '#features/products/ui/product-missing.tsx'
import { pathOf } from '#features/products/ui/product-table.tsx'
import { useTitle } from '#web/arrival.ts'
import { BackButton } from '#web/back-button.tsx'
import { SavePage } from '#web/forms/save-page.tsx'
import { useAnswer } from '#web/query.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageSkeleton } from '#web/ui/skeleton.tsx'

/** The form of a product on a page of its own, by the id in the address. */
export function ProductEditPage() {
  const { id }: { id?: string } = useParams({ strict: false })
  const answer = useAnswer(products.find, { params: { id: Number(id) } })
  useTitle(answer.data && `Modifier ${answer.data.name}`)
  if (answer.data) return <Edit product={answer.data} />
  return answer.error ? <ProductMissing answer={answer} /> : <PageSkeleton />
}

function Edit({ product }: { product: Product }) {
  const navigate = useNavigate()
  const { form, product: read, sent, isFilled, onSave, onReload } = useProductForm(product)
  const goToDetail = () => void navigate({ to: pathOf(product), replace: true })
  return (
    <>
      <PageHeader
        title="Modifier le produit"
        description={product.name}
        back={<BackButton list="/products" />}
      />
      <SavePage
        label="Modifier le produit"
        form={form}
        submitDisabled={!isFilled}
        onSave={onSave}
        onReload={onReload}
        onClose={goToDetail}
        onCancel={goToDetail}
      >
        <ProductFields form={form} product={read} sent={sent} />
      </SavePage>
    </>
  )
}
