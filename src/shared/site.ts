/** The operator of the platform and its contact details, from the configuration; null when not configured. */
export type Site = {
  email: string | null
  phone: string | null
  address: string | null
  /** Decimal degrees, north and east positive. */
  place: { latitude: number; longitude: number } | null
  /** Publisher (company or association), its registration, the publication director and the host. */
  publisher: string | null
  registration: string | null
  director: string | null
  host: string | null
}

/** No details configured: the pages mark them as still to be filled in. */
export const unknownSite: Site = {
  email: null,
  phone: null,
  address: null,
  place: null,
  publisher: null,
  registration: null,
  director: null,
  host: null,
}

export const missingDetail = 'à compléter'

/** Position shown on the map until one is configured. */
export const defaultPlace = { latitude: -4.325, longitude: 15.322 }
