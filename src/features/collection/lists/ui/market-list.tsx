import { X } from 'lucide-react'
import { useRef } from 'react'
import { marketLists, mostWanted, type WantedGood } from '#features/collection/lists/lists.contract.ts'
import { productChoices } from '#features/products/ui/choices.ts'
import { formatCount } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { useUser } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type Wanted = { productId: number; quotesWanted?: number }

/** The goods to collect at each visit of a market; users with `collection.write` can change the list. */
export function MarketList({ marketId }: { marketId: number }) {
  const { permissions } = useUser()
  const mayWrite = permissions.includes('collection.write')
  const params = { id: marketId }
  const list = useAnswer(marketLists.find, { params }, { enabled: permissions.includes('collection.read') })
  const replace = useAction(marketLists.replace)
  const saved = useRef<Promise<WantedGood[]>>(null)
  if (!permissions.includes('collection.read')) return null
  const { data: goods = [], usual = [] } = list.data ?? {}
  /** Changes the list that the save in progress leaves, so that the next product need not wait. */
  const save = async (change: (goods: WantedGood[]) => Wanted[]) => {
    const refetched = async () => (await list.refetch()).data?.data ?? goods
    const before = saved.current ? saved.current.catch(refetched) : Promise.resolve(goods)
    const saving = before.then(async (seen) => {
      const { data } = await replace.mutateAsync({ params, body: { goods: change(seen), seen } })
      return data
    })
    saved.current = saving
    await saving.catch(() => list.refetch())
    if (saved.current === saving) saved.current = null
  }

  return (
    <Card
      title="Liste de la tournée"
      description="Ce que les agents relèvent à chaque visite de ce marché. Sans liste, ce qu’on y relève d’habitude."
      actions={
        mayWrite &&
        usual.length > 0 && (
          <Button
            className="h-auto! min-h-11 max-w-full shrink! whitespace-normal! py-2"
            busy={replace.isPending}
            onClick={() => void save((before) => [...before, ...usual].slice(0, mostWanted))}
          >
            {`Prendre ce qui est relevé d’habitude (${usual.length})`}
          </Button>
        )
      }
    >
      {list.error && !list.data && (
        <LoadFailure compact title="Erreur lors du chargement de la liste" answer={list} />
      )}
      {list.isPending && <Skeleton className="h-11 w-full" />}
      {list.data && goods.length === 0 && (
        <EmptyState compact title="Aucun produit dans la liste">
          {usual.length > 0
            ? `${formatCount(usual.length, 'produit y est relevé', 'produits y sont relevés')} d’habitude.`
            : 'Ajoutez les produits que les agents doivent relever ici.'}
        </EmptyState>
      )}
      <ul className="flex flex-wrap gap-2">
        {goods.map(({ productId, name, weight }) => (
          <li key={productId} className="max-w-full">
            <span className="inline-flex min-h-11 max-w-full items-center gap-1.5 rounded-full bg-river-soft py-1 pl-3.5 pr-3.5 text-river">
              <span className="min-w-0 wrap-anywhere">{`${name}, ${weight}`}</span>
              {mayWrite && (
                <button
                  type="button"
                  aria-label={`Retirer ${name}, ${weight}`}
                  className="-mr-2 grid size-8 shrink-0 place-items-center rounded-full hover:bg-sunken"
                  disabled={replace.isPending}
                  onClick={() => void save((before) => before.filter((good) => good.productId !== productId))}
                >
                  <X className="size-4" aria-hidden />
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {mayWrite && list.data && (
        <Combobox
          label="Ajouter un produit"
          className="mt-4 max-w-md"
          value={null}
          search={productChoices.search}
          onChange={(option) => {
            const productId = Number(option?.value)
            if (!option || goods.some((good) => good.productId === productId)) return
            void save((before) => [...before, { productId }])
          }}
        />
      )}
    </Card>
  )
}
