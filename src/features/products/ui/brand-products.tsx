import { products } from '#features/products/products.contract.ts'
import {
  pathOf,
  productCards,
  productListColumns,
  productsByName,
} from '#features/products/ui/product-columns.tsx'
import { lineColumns } from '#web/crud/line-columns.tsx'
import { useList } from '#web/crud/list.tsx'
import { ExportMenu } from '#web/export-menu.tsx'
import { useListState } from '#web/list-state.ts'
import { Table } from '#web/ui/table.tsx'

const screen = {
  name: 'products-of-a-brand',
  query: products.list.query.pick({ page: true, limit: true, sort: true }),
}
const columns = lineColumns(
  products,
  productListColumns.filter(({ key }) => key !== 'brand' && key !== 'format'),
  { detailPath: pathOf },
)

/** The products of a brand; the order and page are in the address. */
export function BrandProducts({ brand: { id, name } }: { brand: { id: number; name: string } }) {
  const list = useListState(screen)
  const query = { ...list.query, brandId: id }
  const { answer, table, pager } = useList(list, {
    endpoint: products.list,
    ask: () => query,
    noun: products.noun,
    ownOrder: productsByName,
    nothing: { text: 'Les produits de cette marque apparaîtront ici.' },
    pager: 'plain',
    isPart: true,
  })
  return (
    <section aria-labelledby="brand-products" className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="brand-products" className="text-base font-semibold">
          Produits de la marque
        </h2>
        <ExportMenu endpoint={products.exportAll} query={query} />
      </div>
      <Table
        {...table}
        caption={`Produits de la marque ${name}`}
        columns={columns}
        cards={productCards}
        rows={answer.data?.products ?? []}
        rowKey={(product) => product.id}
      />
      {pager}
    </section>
  )
}
