/** Who runs the platform and how to reach him, as it is configured; null where nobody has said it yet. */
export type Site = {
  email: string | null
  phone: string | null
  address: string | null
  /** Decimal degrees, north and east positive. */
  place: { latitude: number; longitude: number } | null
  /** Company or association, its registration, who answers for what is published, who hosts it. */
  publisher: string | null
  registration: string | null
  director: string | null
  host: string | null
}

/** Nothing said yet: what the pages show is marked as still to be said. */
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

export const toBeSaid = 'à compléter'

/** Where we stand on the map until a place is configured. */
export const capital = { latitude: -4.325, longitude: 15.322 }
