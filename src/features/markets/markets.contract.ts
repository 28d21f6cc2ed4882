import { z } from 'zod'
import { marketAddresses } from '#features/markets/markets.addresses.ts'
import { timeZones } from '#features/markets/markets.rules.ts'
import { followable } from '#shared/changes.ts'
import { fromDigits, instant, optionalText, searchText, text } from '#shared/fields.ts'
import { defineResource, defineTexts } from '#shared/resource.ts'

const timeZone = z.enum(timeZones, `Le fuseau est ${timeZones.join(' ou ')}`)

export const market = z
  .object({
    id: z.int(),
    name: z.string(),
    location: z.string(),
    province: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    timeZone,
    created_at: instant,
    updated_at: instant,
    /** Local day of its last price. */
    lastQuoteOn: z.string().nullable(),
    /** Number of its prices, and of products with a price in CDF or convertible to it. */
    _count: z.object({ prices: z.int(), products: z.int() }),
  })
  .meta({ id: 'Market' })
export type Market = z.infer<typeof market>

const base = defineResource({
  name: marketAddresses.name,
  listed: marketAddresses.listed,
  noun: { one: 'Marché', many: 'marchés', gender: 'm' },
  permission: { read: 'markets.read', write: 'markets.write' },
  row: market,
  input: z
    .object({
      name: text(200),
      location: text(200),
      province: optionalText(100),
      latitude: degrees(90),
      longitude: degrees(180),
      /** Absent or null: the time zone of the province. */
      timeZone: timeZone.nullish(),
    })
    .meta({ id: 'MarketBody' }),
  filters: { search: searchText, location: searchText },
  sortable: ['name', 'location', 'province', 'created_at', 'prices'],
  columns: [
    { key: 'name', title: 'Nom', value: ({ name }) => name },
    { key: 'location', title: 'Lieu', value: ({ location }) => location },
    { key: 'province', title: 'Province', value: ({ province }) => province },
    { key: 'latitude', title: 'Latitude', kind: 'number', value: ({ latitude }) => latitude },
    { key: 'longitude', title: 'Longitude', kind: 'number', value: ({ longitude }) => longitude },
    { key: 'timeZone', title: 'Fuseau horaire', value: ({ timeZone }) => timeZone },
    { key: 'prices', title: 'Prix relevés', kind: 'number', value: ({ _count }) => _count.prices },
    { key: 'products', title: 'Produits', kind: 'number', value: ({ _count }) => _count.products },
    { key: 'lastQuoteOn', title: 'Dernier relevé', value: ({ lastQuoteOn }) => lastQuoteOn },
    { key: 'created_at', title: 'Créé le', kind: 'instant', value: ({ created_at }) => created_at },
  ],
  figures: { markets: 'Marchés', prices: 'Prix relevés', locations: 'Lieux' },
})

export const markets = { ...base, list: followable(base.list, market) }

/** Locations that have markets. */
export const marketLocations = defineTexts('/api/markets/locations', 'markets.read', 'Lieux des marchés')

/** Decimal degrees, north and east positive; as a text, with a comma or a point. */
function degrees(most: number) {
  const message = `Un nombre de degrés de -${most} à ${most} est attendu`
  return z.preprocess(fromDigits, z.number(message).min(-most, message).max(most, message)).nullish()
}
