/** The two time zones of the country, UTC+1 and UTC+2, both without daylight saving. */
export const timeZones = ['Africa/Kinshasa', 'Africa/Lubumbashi'] as const
export type TimeZone = (typeof timeZones)[number]

const [west, east] = timeZones

/**
 * The 26 provinces by their official French names, with the legal time zone of each and its code in OCHA's common
 * operational datasets (ADM1_PCODE).
 */
export const provinces: readonly {
  readonly name: string
  readonly pcode: string
  readonly timeZone: TimeZone
}[] = [
  { name: 'Bas-Uélé', pcode: 'CD52', timeZone: east },
  { name: 'Équateur', pcode: 'CD41', timeZone: west },
  { name: 'Haut-Katanga', pcode: 'CD71', timeZone: east },
  { name: 'Haut-Lomami', pcode: 'CD73', timeZone: east },
  { name: 'Haut-Uélé', pcode: 'CD53', timeZone: east },
  { name: 'Ituri', pcode: 'CD54', timeZone: east },
  { name: 'Kasaï', pcode: 'CD92', timeZone: east },
  { name: 'Kasaï-Central', pcode: 'CD91', timeZone: east },
  { name: 'Kasaï-Oriental', pcode: 'CD82', timeZone: east },
  { name: 'Kinshasa', pcode: 'CD10', timeZone: west },
  { name: 'Kongo-Central', pcode: 'CD20', timeZone: west },
  { name: 'Kwango', pcode: 'CD31', timeZone: west },
  { name: 'Kwilu', pcode: 'CD32', timeZone: west },
  { name: 'Lomami', pcode: 'CD81', timeZone: east },
  { name: 'Lualaba', pcode: 'CD72', timeZone: east },
  { name: 'Maï-Ndombe', pcode: 'CD33', timeZone: west },
  { name: 'Maniema', pcode: 'CD63', timeZone: east },
  { name: 'Mongala', pcode: 'CD44', timeZone: west },
  { name: 'Nord-Kivu', pcode: 'CD61', timeZone: east },
  { name: 'Nord-Ubangi', pcode: 'CD43', timeZone: west },
  { name: 'Sankuru', pcode: 'CD83', timeZone: east },
  { name: 'Sud-Kivu', pcode: 'CD62', timeZone: east },
  { name: 'Sud-Ubangi', pcode: 'CD42', timeZone: west },
  { name: 'Tanganyika', pcode: 'CD74', timeZone: east },
  { name: 'Tshopo', pcode: 'CD51', timeZone: east },
  { name: 'Tshuapa', pcode: 'CD45', timeZone: west },
]

// Used by files older than the division of 2015, and by those written in English.
const otherNames: readonly (readonly [string, TimeZone])[] = [
  ['Bandundu', west],
  ['Bas-Congo', west],
  ['Kongo', west],
  ['Kasaï-Occidental', east],
  ['Katanga', east],
  ['Orientale', east],
  ['Province-Orientale', east],
  ['North-Kivu', east],
  ['South-Kivu', east],
  ['North-Ubangi', west],
  ['South-Ubangi', west],
]

// Former names of a present province; provinces divided in 2015 have no single successor.
const formerNames: readonly (readonly [string, string])[] = [
  ['Bas-Congo', 'Kongo-Central'],
  ['Kongo', 'Kongo-Central'],
  ['North-Kivu', 'Nord-Kivu'],
  ['South-Kivu', 'Sud-Kivu'],
  ['North-Ubangi', 'Nord-Ubangi'],
  ['South-Ubangi', 'Sud-Ubangi'],
]

const officialNames = new Map<string, string>([
  ...provinces.map(({ name }) => [letters(name), name] as const),
  ...formerNames.map(([former, name]) => [letters(former), name] as const),
])

const zones = new Map<string, TimeZone>([
  ...provinces.map(({ name, timeZone }) => [letters(name), timeZone] as const),
  ...otherNames.map(([name, timeZone]) => [letters(name), timeZone] as const),
])

/** Longitude in degrees east that separates UTC+1 from UTC+2 by the sun. */
const meridianBetweenZones = 22.5

/**
 * Returns the time zone of a market, by the name of its province in any spelling, otherwise by its longitude.
 * @param longitude degrees east; used only where the province is unknown, as abroad
 * @returns Kinshasa's zone when neither is known
 */
export function timeZoneOfProvince(province: string | null, longitude?: number | null): TimeZone {
  const zone = province === null ? undefined : zones.get(letters(province))
  if (zone) return zone
  return (longitude ?? 0) >= meridianBetweenZones ? east : west
}

/** Returns the official name of a province in any spelling; null unless it is one of the 26. */
export function provinceNamed(written: string | null): string | null {
  return written === null ? null : (officialNames.get(letters(written)) ?? null)
}

/**
 * Returns all names of the same province, normalised by `letters`, including former and English ones. Empty unless it
 * is one of the 26.
 */
export function spellingsOfProvince(written: string): string[] {
  const official = provinceNamed(written)
  return official === null
    ? []
    : [...officialNames].flatMap(([spelling, name]) => (name === official ? [spelling] : []))
}

/** Normalises a name: no case, accents, spaces or punctuation, so that « haut uele » matches Haut-Uélé. */
function letters(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
}
