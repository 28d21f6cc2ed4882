import { MapPin } from 'lucide-react'
import { marketLocations, markets } from '#features/markets/markets.contract.ts'
import { MarketFields } from '#features/markets/ui/market-fields.tsx'
import { formatCoordinates, fullName, zoneName } from '#features/markets/ui/places.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDate, formatDateTime, formatNumber, notAvailable } from '#web/format.ts'
import { type FilterControlProps, FilterText } from '#web/forms/suggestions.tsx'

export const {
  ListPage: MarketsPage,
  DetailPage: MarketPage,
  CreateDialog: MarketCreateDialog,
} = adminScreens(markets, {
  path: '/markets',
  link: ({ id }) => ({ label: 'Statistiques', to: `/markets/${id}` }),
  description: 'Les marchés où les prix sont relevés, et ce que chacun en dit.',
  whenEmpty: 'Un marché créé ici se choisit ensuite en ajoutant un prix.',
  nameOf: fullName,
  columns: [
    {
      key: 'province',
      card: 'title',
      cell: ({ province }) => (
        <span className="flex items-center gap-1.5">
          <MapPin className="size-4 shrink-0" aria-hidden />
          {province ?? 'Province non précisée'}
        </span>
      ),
    },
    // Hidden in cards, but the list can be sorted by them.
    { key: 'location', card: 'hidden', cell: ({ location }) => location },
    { key: 'prices', card: 'hidden', cell: ({ _count }) => formatNumber(_count.prices) },
    {
      key: 'lastQuoteOn',
      cell: ({ lastQuoteOn }) => (lastQuoteOn ? formatDate(lastQuoteOn) : notAvailable),
    },
    { key: 'products', cell: ({ _count }) => formatNumber(_count.products) },
  ],
  usedBy: ({ id, _count }) =>
    _count.prices > 0
      ? {
          count: _count.prices,
          one: 'prix',
          many: 'prix',
          to: '/prices',
          search: { marketId: id, period: 'all' },
        }
      : null,
  filters: [{ key: 'location', control: LocationFilter }],
  blank: { name: '', location: '', province: '', latitude: null, longitude: null, timeZone: null },
  form: (form) => <MarketFields form={form} />,
  details: (market) => [
    { key: 'name', value: market.name },
    { key: 'location', value: market.location },
    { key: 'province', value: market.province ?? notAvailable },
    {
      label: 'Coordonnées',
      value:
        market.latitude === null || market.longitude === null
          ? notAvailable
          : formatCoordinates(market.latitude, market.longitude),
    },
    { key: 'timeZone', value: zoneName(market.timeZone) },
    { key: 'prices', value: formatNumber(market._count.prices) },
    { key: 'created_at', value: formatDateTime(market.created_at, market.timeZone) },
    { key: 'updated_at', value: formatDateTime(market.updated_at, market.timeZone) },
  ],
})

function LocationFilter(props: FilterControlProps) {
  return <FilterText {...props} suggestions={marketLocations} />
}
