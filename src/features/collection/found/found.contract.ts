import { z } from 'zod'
import type { AbsenceSince } from '#features/prices/absence/absence.contract.ts'
import { bytes, defineEndpoint } from '#shared/contract.ts'
import { type ExportColumn, fileMedia, listFormat } from '#shared/export.ts'
import { dayFilter, idFilter, inOrder, reversedPeriod } from '#shared/fields.ts'

/** The result of a visit for one good; `NA`: reported absent, `NC`: on the list but not looked for. */
export type FoundGood = {
  day: string
  market: string
  location: string
  product: string
  code: string
  agent: string | null
  state: 'relevé' | 'inchangé' | 'NA' | 'NC'
  reason: AbsenceSince['reason']
  priceValue: number | null
  currency: string | null
  isUnderReview: boolean
}

export const foundColumns: readonly (ExportColumn<FoundGood> & { key: string })[] = [
  { key: 'day', title: 'Jour', value: ({ day }) => day },
  { key: 'market', title: 'Marché', value: ({ market }) => market },
  { key: 'location', title: 'Lieu', value: ({ location }) => location },
  { key: 'product_code', title: 'Code produit', value: ({ code }) => code },
  { key: 'product', title: 'Produit', value: ({ product }) => product },
  { key: 'agent', title: 'Agent', value: ({ agent }) => agent },
  { key: 'state', title: 'État', value: ({ state }) => state },
  { key: 'reason', title: 'Motif', value: ({ reason }) => reason },
  { key: 'price', title: 'Prix', kind: 'amount', value: ({ priceValue }) => priceValue },
  { key: 'currency', title: 'Devise', value: ({ currency }) => currency },
  {
    key: 'review',
    title: 'Vérification',
    value: ({ isUnderReview }) => (isUnderReview ? 'à vérifier' : null),
  },
]

export const exportFound = defineEndpoint({
  method: 'GET',
  path: '/api/collection/visits/export',
  right: 'collection.read',
  summary: 'Exporter les visites, produit par produit',
  description:
    'Chaque produit de chaque visite, des 30 derniers jours sans dates\u00a0: relevé ou inchangé avec son prix, NA (absent du marché, avec son motif) ou NC (dans la liste d’aujourd’hui, non relevé). Une absence n’a pas de prix.',
  query: z
    .object({ marketId: idFilter, startDate: dayFilter, endDate: dayFilter, fileFormat: listFormat })
    .refine(inOrder, reversedPeriod),
  media: fileMedia,
  response: bytes,
})
