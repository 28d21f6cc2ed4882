import { Link } from '@tanstack/react-router'
import { PackageX } from 'lucide-react'
import type { Absence, availability } from '#features/collection/availability/availability.contract.ts'
import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import { formatCount, formatDate } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'

const reasons: Record<NonNullable<Absence['reason']>, string> = {
  rupture: 'en rupture',
  saison: 'hors saison',
  refus: 'prix refusé par le vendeur',
  'marché fermé': 'marché fermé',
}

const mostShown = 5

type AbsencesProps = { productId?: number; marketId?: number }

/** The last reported absences: of a series, of a product in its markets, or of a market; empty where there is none. */
export function Absences({ productId, marketId }: AbsencesProps) {
  const { data } = useAnswer<typeof availability>(collectionAddresses.availability, {
    query: { productId, marketId },
  })
  if (!data || data.data.length === 0) return null
  const isSeries = productId !== undefined && marketId !== undefined
  const shown = data.data.slice(0, mostShown)
  const more = data.data.length - shown.length
  return (
    <aside aria-label="Disponibilité" className="flex gap-3 rounded-md bg-amber-soft px-4 py-3 text-amber">
      <PackageX className="mt-0.5 size-5 shrink-0" aria-hidden />
      <div className="min-w-0">
        <p className="font-medium">{headline(data.data, data.looked, { productId, marketId })}</p>
        {!isSeries && (
          <ul className="mt-1 text-sm">
            {shown.map((each) => (
              <li key={`${each.product.id}-${each.market.id}`} className="wrap-anywhere">
                <Link
                  to="/series/$productId/$marketId"
                  params={{ productId: String(each.product.id), marketId: String(each.market.id) }}
                  className="inline-block min-h-6 underline"
                >
                  {productId === undefined
                    ? `${each.product.name}, ${each.product.weight}`
                    : `${each.market.location}, ${each.market.name}`}
                </Link>
                {`, ${saidOf(each)}`}
              </li>
            ))}
            {more > 0 && <li>{`et ${formatCount(more, 'autre', 'autres')}`}</li>}
          </ul>
        )}
      </div>
    </aside>
  )
}

/** Returns « Absent de 3 marchés sur 8 où il a été cherché ces 30 derniers jours ». */
function headline(
  absences: readonly Absence[],
  looked: number,
  { productId, marketId }: AbsencesProps,
): string {
  const [first] = absences
  if (productId !== undefined && marketId !== undefined)
    return first ? `Absent du marché, ${saidOf(first)}. Le prix affiché est d’avant.` : ''
  const among = `sur\u00a0${looked}`
  return productId === undefined
    ? `${formatCount(absences.length, 'produit absent', 'produits absents')} à la dernière visite, ${among} cherchés en 30\u00a0jours`
    : `Absent de ${formatCount(absences.length, 'marché', 'marchés')} ${among} où il a été cherché en 30\u00a0jours`
}

/** Returns « en rupture le 24 nov. 2026 ». */
function saidOf({ reason, day }: Absence): string {
  return `${reason ? reasons[reason] : 'vu absent'} le ${formatDate(day)}`
}
