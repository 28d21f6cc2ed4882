import { Link } from '@tanstack/react-router'
import { FileUp, Plus, SearchX } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { type Product, productFigures, products } from '#features/products/products.contract.ts'
import { ProductFilters } from '#features/products/ui/product-filters.tsx'
import {
  ProductTable,
  productCards,
  productsByName,
  productTableColumns,
} from '#features/products/ui/product-table.tsx'
import { useColumnChoice } from '#web/column-choice.ts'
import { DeleteDialog } from '#web/crud/delete-dialog.tsx'
import { Figures } from '#web/crud/figures.tsx'
import { ExportMenu } from '#web/export-menu.tsx'
import { sortParameter, useExistingPage, useListState } from '#web/list-state.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { useMay } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { ColumnsButton } from '#web/ui/columns-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Pager } from '#web/ui/pager.tsx'

// The form comes when it is asked for.
const ProductDialog = lazy(() =>
  import('#features/products/ui/product-dialog.tsx').then((module) => ({ default: module.ProductDialog })),
)

type Opened = { dialog: 'create' } | { dialog: 'edit' | 'delete'; product: Product } | null

const figures = {
  endpoint: productFigures,
  labels: {
    products: 'Produits',
    types: 'Types de produits',
    brands: 'Marques',
    categories: 'Catégories',
  },
}

/** The catalogue: figures, filters and table of products, with the dialogs to create, edit and delete. */
export function ProductsPage() {
  const list = useListState(products)
  const [choice, choose] = useColumnChoice('products')
  const answer = useAnswer(products.list, { query: list.query }, { keepsPrevious: true })
  const may = useMay()
  const canWrite = may('catalogue.write')
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  const createButton = canWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setOpened({ dialog: 'create' })}>
      Créer un produit
    </Button>
  )
  const failure = answer.isError && (
    <LoadFailure
      title="Erreur lors du chargement des produits"
      answer={answer}
      compact={answer.data !== undefined}
    />
  )
  useExistingPage(answer.data?.pagination, list.setPage)

  return (
    <>
      <PageHeader
        title="Produits"
        description="Les produits dont les prix sont suivis, avec leur prix de référence."
        actions={
          <>
            <ColumnsButton
              columns={productTableColumns}
              choice={choice}
              onChoose={choose}
              cards={productCards}
            />
            {may('prices.import') && (
              <Link to="/prices/imports" search={{ kind: 'products' }} className={buttonClass()}>
                <FileUp className="size-4" aria-hidden />
                Importer
              </Link>
            )}
            <ExportMenu endpoint={products.exportAll} query={list.query} />
          </>
        }
        primary={createButton}
      />
      <Figures noun="produits" figures={figures} list={list} />
      <ProductFilters list={list} />
      {answer.data && failure}
      <ProductTable
        choice={choice}
        rows={answer.data?.products ?? []}
        loading={answer.isPending}
        refetching={answer.isPlaceholderData}
        skeletonRows={list.query.limit}
        sort={list.sort ?? productsByName}
        onSort={(sort) => list.setSort(sortParameter(sort))}
        canWrite={canWrite}
        onEdit={(product) => setOpened({ dialog: 'edit', product })}
        onDelete={(product) => setOpened({ dialog: 'delete', product })}
        error={!answer.data && failure}
        empty={
          list.isFiltered ? (
            <EmptyState
              title="Aucun produit trouvé"
              icon={SearchX}
              action={<Button onClick={list.reset}>Effacer la recherche et les filtres</Button>}
            >
              Rien ne correspond à cette recherche. Essayez d’autres mots, ou moins de filtres.
            </EmptyState>
          ) : (
            <EmptyState title="Aucun produit trouvé" action={createButton}>
              Les produits enregistrés apparaîtront ici. Il leur faut un type, dans une catégorie, et une
              marque.
            </EmptyState>
          )
        }
      />
      {answer.data && (
        <Pager
          {...answer.data.pagination}
          page={list.query.page}
          onPage={(page) => list.setPage(page)}
          noun={['produit', 'produits']}
          hideIfSingle
          busy={answer.isFetching}
        />
      )}
      <Suspense>
        {opened?.dialog === 'create' && <ProductDialog onClose={close} />}
        {opened?.dialog === 'edit' && <ProductDialog product={opened.product} onClose={close} />}
      </Suspense>
      {opened?.dialog === 'delete' && (
        <DeleteDialog resource={products} id={opened.product.id} name={opened.product.name} onClose={close} />
      )}
    </>
  )
}
