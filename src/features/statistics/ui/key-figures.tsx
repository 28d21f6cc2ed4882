import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isStale } from '#features/prices/ui/price-movement.tsx'
import type { Overview } from '#features/statistics/statistics.contract.ts'
import { formatDate, formatNumber } from '#web/format.ts'
import { useMay } from '#web/session.ts'
import { Counters } from '#web/ui/counters.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'

type KeyFiguresProps = {
  overview: Overview | undefined
  periodText: string
  refetching: boolean
  /** The filters of the prices counted. */
  rows: Record<string, string | number | undefined>
}

const catalogue =
  'La variation est ce qui a été ajouté pendant la période, par rapport à ce qui existait avant.'

/** Prices, products, markets, users: how many, how they changed, and where they are listed. */
export function KeyFigures({ overview, periodText, refetching, rows }: KeyFiguresProps) {
  const may = useMay()
  const { prices, products, markets, users, days } = overview ?? {}
  const { productId, categoryId, brandId, marketId } = rows
  const period = days ? `depuis le ${formatDate(days.startDate)}` : 'sans période'
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
          isFaint: prices !== undefined && isStale(prices.lastCollectedAt),
          value: (
            <Rows to="/prices" search={rows}>
              {formatNumber(prices?.total)}
            </Rows>
          ),
          change: { percent: prices?.change ?? null, period: 'sur la période précédente' },
          basis: prices?.lastCollectedAt
            ? `Dernier relevé\u00a0: ${formatDate(prices.lastCollectedAt)}`
            : 'Aucun relevé',
          info: (
            <InfoPopover label="Prix collectés" definition="/methode#plateforme">
              {`Prix relevés dans la sélection, ${periodText.toLowerCase()}\u202f; leur variation ${compared}.`}
            </InfoPopover>
          ),
        },
        {
          key: 'products',
          label: 'Produits',
          value: (
            <Rows
              {...(productId
                ? { to: `/products/detail/${productId}` }
                : { to: '/products', search: { categoryId, brandId } })}
            >
              {formatNumber(products?.total)}
            </Rows>
          ),
          change: { percent: products?.change ?? null, period },
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
          value: (
            <Rows to={marketId ? `/markets/${marketId}` : '/markets'}>{formatNumber(markets?.total)}</Rows>
          ),
          change: { percent: markets?.change ?? null, period },
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
          value: may('users.manage') ? (
            <Rows to="/users">{formatNumber(users?.total)}</Rows>
          ) : (
            formatNumber(users?.total)
          ),
          change: { percent: users?.change ?? null, period },
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

type RowsProps = { to: string; search?: Record<string, string | number | undefined>; children: ReactNode }

function Rows({ to, search, children }: RowsProps) {
  return (
    <Link to={to} search={search} className="hover:text-river hover:underline">
      {children}
    </Link>
  )
}
