import { listOf } from '#features/prices/listed.rules.ts'
import { isStale } from '#features/prices/ui/price-movement.tsx'
import { today } from '#features/prices/ui/price-selection.ts'
import type { Overview } from '#features/statistics/statistics.contract.ts'
import { productsListed } from '#features/statistics/statistics.rules.ts'
import type { StatisticsSelection } from '#features/statistics/ui/statistics-selection.ts'
import { formatDate, formatNumber } from '#web/format.ts'
import { useMay } from '#web/session.ts'
import { linkWithin } from '#web/ui/charts/link-within.tsx'
import { countChangeText } from '#web/ui/count-change.ts'
import { Counters } from '#web/ui/counters.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'

type KeyFiguresProps = {
  overview: Overview | undefined
  refetching: boolean
  selection: Pick<StatisticsSelection, 'chosen' | 'dated' | 'rows' | 'periodText'>
}

const catalogue =
  'La variation est ce qui a été ajouté pendant la période, par rapport à ce qui existait avant.'

/** Shows the numbers of prices, products, markets and users, their changes, and links to their lists. */
export function KeyFigures({ overview, refetching, selection }: KeyFiguresProps) {
  const may = useMay()
  const { prices, products, markets, users, days } = overview ?? {}
  const { rows, dated, periodText } = selection
  const { productId, categoryId, brandId, marketId } = selection.chosen
  const isToday = dated.startDate === today() && dated.endDate === today()
  const before = dated.startDate ? `avant le ${formatDate(dated.startDate)}` : 'avant'
  const compared = days
    ? `par rapport à la période du ${formatDate(days.previous.startDate)} au ${formatDate(days.previous.endDate)}`
    : periodText
  return (
    <Counters
      loading={overview === undefined}
      refetching={refetching}
      items={[
        {
          key: 'prices',
          label: 'Prix collectés',
          isFaint: prices !== undefined && !prices.isEstimate && isStale(prices.lastCollectedAt),
          value: linkWithin(
            listOf(rows),
            `${prices?.isEstimate ? 'environ ' : ''}${formatNumber(prices?.total)}`,
          ),
          change: countChangeText(
            prices?.difference,
            ['relevé', 'relevés'],
            isToday ? 'hier, journée en cours' : 'la période précédente',
          ),
          basis:
            prices?.lastCollectedAt === null
              ? prices.isEstimate
                ? 'Trop de relevés à lire pour en dire plus'
                : 'Aucun relevé'
              : `Dernier relevé\u00a0: ${formatDate(prices?.lastCollectedAt ?? today())}`,
          info: (
            <InfoPopover label="Prix collectés" definition="/methode#plateforme">
              {`Prix relevés dans la sélection, ${periodText.toLowerCase()}\u202f; leur variation ${compared}.`}
            </InfoPopover>
          ),
        },
        {
          key: 'products',
          label: 'Produits',
          value: linkWithin(
            productsListed({ productId, categoryId, brandId }),
            formatNumber(products?.total),
          ),
          change: countChangeText(products?.difference, ['produit', 'produits'], before),
          basis: 'Au catalogue',
          info: (
            <InfoPopover label="Produits" definition="/methode#plateforme">
              {`Produits du catalogue, selon le produit, la catégorie et la marque choisis. ${catalogue}`}
            </InfoPopover>
          ),
        },
        {
          key: 'markets',
          label: 'Marchés',
          value: linkWithin(marketId ? `/markets/${marketId}` : '/markets', formatNumber(markets?.total)),
          change: countChangeText(markets?.difference, ['marché', 'marchés'], before),
          basis: 'Couverts',
          info: (
            <InfoPopover
              label="Marchés"
              definition="/methode#plateforme"
            >{`Marchés enregistrés, selon le marché choisi. ${catalogue}`}</InfoPopover>
          ),
        },
        {
          key: 'users',
          label: 'Utilisateurs',
          value: may('users.manage')
            ? linkWithin('/users', formatNumber(users?.total))
            : formatNumber(users?.total),
          change: countChangeText(users?.difference, ['compte', 'comptes'], before),
          basis: 'Comptes, tous rôles',
          info: (
            <InfoPopover label="Utilisateurs" definition="/methode#plateforme">
              {`Comptes ouverts\u202f; les filtres ne les concernent pas. ${catalogue}`}
            </InfoPopover>
          ),
        },
      ]}
    />
  )
}
