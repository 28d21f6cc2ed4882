import { products } from '#features/products/products.contract.ts'
import { productCards, productsByName, productTableColumns } from '#features/products/ui/product-table.tsx'
import { ExportMenu } from '#web/export-menu.tsx'
import { sortParameter, useExistingPage, useListState } from '#web/list-state.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Table } from '#web/ui/table.tsx'

const screen = { name: 'products-of-a-brand', query: products.list.query }
const columns = productTableColumns.filter(({ key }) => key !== 'brand' && key !== 'format')

/** The products of a brand; the address holds their order and page. */
export function BrandProducts({ brand: { id, name } }: { brand: { id: number; name: string } }) {
  const list = useListState(screen)
  const { page, limit, sort } = list.query
  const query = { brandId: id, page, limit, sort }
  const answer = useAnswer(products.list, { query }, { keepsPrevious: true })
  const { data } = answer
  useExistingPage(data?.pagination, list.setPage)
  return (
    <section aria-labelledby="brand-products" className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="brand-products" className="text-base font-semibold">
          Produits de la marque
        </h2>
        <ExportMenu endpoint={products.exportAll} query={query} />
      </div>
      <Table
        caption={`Produits de la marque ${name}`}
        columns={columns}
        rows={data?.products ?? []}
        rowKey={(product) => product.id}
        loading={answer.isPending}
        refetching={answer.isPlaceholderData}
        skeletonRows={5}
        cards={productCards}
        sort={list.sort ?? productsByName}
        onSort={(next) => list.setSort(sortParameter(next))}
        error={
          answer.error &&
          !data && <LoadFailure compact title="Erreur lors du chargement des produits" answer={answer} />
        }
        empty={
          <EmptyState compact title="Aucun produit trouvé">
            Les produits de cette marque apparaîtront ici.
          </EmptyState>
        }
      />
      {data && (
        <Pager
          {...data.pagination}
          page={page}
          onPage={(next) => list.setPage(next, {})}
          noun={['produit', 'produits']}
          busy={answer.isFetching}
          hideIfSingle
        />
      )}
    </section>
  )
}
