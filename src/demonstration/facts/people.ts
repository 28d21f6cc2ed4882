import { demonstrationMarkets, type MarketFacts } from '#demonstration/facts/places.ts'

type Role = 'super admin' | 'admin' | 'manager' | 'collector' | 'agent' | 'user'

export type AccountFacts = {
  email: string
  name: string
  role: Role
  location: string
  /** Age of the account, in days. */
  ageDays: number
  /** What the account demonstrates, in French, for a person who tries the platform. */
  shows: string
  hasSignedIn: boolean
}

/** The password of every demonstration account. */
export const demonstrationPassword = 'Ntalo-demo-2026'

const staff = { hasSignedIn: true, location: 'Kinshasa' } as const

/** The accounts that a person can sign in with, from the most to the fewest permissions. */
// biome-ignore format: one line per account reads as a table
export const accounts: readonly AccountFacts[] = [
  { ...staff, email: 'superadmin@ntalo.cd', name: 'Espérance Mbuyi', role: 'super admin', ageDays: 760, shows: 'tous les droits' },
  { ...staff, email: 'admin@ntalo.cd', name: 'Christian Kalala', role: 'admin', ageDays: 755, shows: 'gère la plateforme' },
  { ...staff, email: 'manager@ntalo.cd', name: 'Béatrice Lukusa', role: 'manager', ageDays: 700, shows: 'suit l’activité et les abonnements' },
  { ...staff, email: 'collecteur@ntalo.cd', name: 'Jean-Paul Ilunga', role: 'collector', ageDays: 750, shows: 'tient le catalogue, les marchés et les prix' },
  { ...staff, email: 'agent@ntalo.cd', name: 'Grâce Mbombo', role: 'agent', ageDays: 740, shows: 'relève les prix sur le terrain' },
  { email: 'abonne@ntalo.cd', name: 'Nadège Ngalula', role: 'user', location: 'Kinshasa', ageDays: 60, hasSignedIn: true, shows: 'abonnement payé' },
  { email: 'essai@ntalo.cd', name: 'Patrick Mukendi', role: 'user', location: 'Lubumbashi', ageDays: 5, hasSignedIn: true, shows: 'essai gratuit, 5e jour' },
  { email: 'expire@ntalo.cd', name: 'Chantal Kavira', role: 'user', location: 'Goma', ageDays: 40, hasSignedIn: true, shows: 'compte de 40 jours, sans abonnement' },
  { email: 'nouveau@ntalo.cd', name: 'Moïse Nzuzi', role: 'user', location: 'Matadi', ageDays: 0, hasSignedIn: false, shows: 'jamais connecté' },
]

export type CollectorFacts = {
  email: string
  name: string
  role: 'collector' | 'agent'
  /** Markets that the collector visits, one city a day. */
  markets: readonly MarketFacts[]
  /** Rounding step of prices under 10 000 FC, in FC. */
  roundsTo: 50 | 100
  /** Difference of the haggled prices that this collector gets from those of other collectors, in percent. */
  bias: number
}

function inCities(...names: string[]): MarketFacts[] {
  return demonstrationMarkets.filter((market) => names.includes(market.city))
}

/** The collectors. The first two are demonstration accounts; nobody can sign in as the others. */
// biome-ignore format: one line per collector reads as a table
export const collectors: readonly CollectorFacts[] = [
  { email: 'collecteur@ntalo.cd', name: 'Jean-Paul Ilunga', role: 'collector', markets: inCities('Kinshasa').slice(0, 2), roundsTo: 50, bias: 0 },
  { email: 'agent@ntalo.cd', name: 'Grâce Mbombo', role: 'agent', markets: inCities('Kinshasa').slice(2), roundsTo: 100, bias: 0.5 },
  { email: 'patience.nsimba@ntalo.cd', name: 'Patience Nsimba', role: 'agent', markets: inCities('Matadi', 'Boma'), roundsTo: 100, bias: -0.5 },
  { email: 'tresor.munganga@ntalo.cd', name: 'Trésor Munganga', role: 'agent', markets: inCities('Kikwit', 'Mbandaka'), roundsTo: 50, bias: 1 },
  { email: 'odette.lisasi@ntalo.cd', name: 'Odette Lisasi', role: 'collector', markets: inCities('Kisangani', 'Kindu'), roundsTo: 100, bias: 0 },
  { email: 'felly.tshimanga@ntalo.cd', name: 'Felly Tshimanga', role: 'agent', markets: inCities('Kananga', 'Mbuji-Mayi'), roundsTo: 50, bias: -1 },
  { email: 'mireille.kabongo@ntalo.cd', name: 'Mireille Kabongo', role: 'collector', markets: inCities('Lubumbashi', 'Likasi'), roundsTo: 100, bias: 0.5 },
  { email: 'dieudonne.kyungu@ntalo.cd', name: 'Dieudonné Kyungu', role: 'agent', markets: inCities('Kolwezi', 'Kalemie'), roundsTo: 100, bias: 1.5 },
  { email: 'furaha.cibalonza@ntalo.cd', name: 'Furaha Cibalonza', role: 'collector', markets: inCities('Bukavu', 'Uvira'), roundsTo: 50, bias: 0 },
  { email: 'josue.paluku@ntalo.cd', name: 'Josué Paluku', role: 'agent', markets: inCities('Goma', 'Butembo', 'Bunia'), roundsTo: 100, bias: -0.5 },
]
