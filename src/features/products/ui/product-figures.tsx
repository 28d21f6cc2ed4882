import { productFigures } from '#features/products/products.contract.ts'
import { formatNumber } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Counters } from '#web/ui/counters.tsx'

type ProductFiguresProps = {
  selection: NonNullable<Parameters<typeof useAnswer<typeof productFigures>>[1]['query']>
  isFiltered: boolean
}

/** How many products, types, brands and categories the whole selection has, whatever page is shown. */
export function ProductFigures({ selection, isFiltered }: ProductFiguresProps) {
  const answer = useAnswer(productFigures, { query: selection }, { keepsPrevious: true })
  const { data, error, isPending, isPlaceholderData } = answer
  if (error && !data) {
    return <LoadFailure compact title="Erreur lors du chargement des chiffres" answer={answer} />
  }
  const basis = isFiltered ? 'selon la recherche et les filtres' : 'de tout le catalogue'
  const item = (key: keyof NonNullable<typeof data>, label: string) => ({
    key,
    label,
    value: formatNumber(data?.[key]),
    basis,
  })
  return (
    <Counters
      label="Chiffres des produits"
      loading={isPending}
      refetching={isPlaceholderData}
      items={[
        item('products', 'Produits'),
        item('types', 'Types de produits'),
        item('brands', 'Marques'),
        item('categories', 'Catégories'),
      ]}
    />
  )
}
