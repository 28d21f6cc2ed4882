/** The two time zones of the country, UTC+1 and UTC+2, both without daylight saving. */
export const timeZones = ['Africa/Kinshasa', 'Africa/Lubumbashi'] as const
export type TimeZone = (typeof timeZones)[number]

const [west, east] = timeZones

/**
 * The 26 provinces by their official French names, with the zone that each keeps by law, and their codes as the common
 * operational datasets of OCHA have them (ADM1_PCODE).
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

// Files older than the division of 2015, and those written in English, still use these.
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

// What is still the same place under another name; the provinces divided in 2015 are several today.
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

/** Where UTC+1 ends and UTC+2 begins by the sun, in degrees east. */
const meridianBetweenZones = 22.5

/**
 * The time zone of a market, by its province however that is written, else by its longitude.
 *
 * @param longitude degrees east; decides only where the province is unknown, as it is abroad
 * @returns Kinshasa's when neither tells
 */
export function timeZoneOfProvince(province: string | null, longitude?: number | null): TimeZone {
  const zone = province === null ? undefined : zones.get(letters(province))
  if (zone) return zone
  return (longitude ?? 0) >= meridianBetweenZones ? east : west
}

/** The official name of a province however it is written; null of what is none of the 26. */
export function provinceNamed(written: string | null): string | null {
  return written === null ? null : (officialNames.get(letters(written)) ?? null)
}

/** The names that say the same province as one does, as `letters` has them: older ones, and those in English. None where it is none of the 26. */
export function spellingsOfProvince(written: string): string[] {
  const official = provinceNamed(written)
  return official === null
    ? []
    : [...officialNames].flatMap(([spelling, name]) => (name === official ? [spelling] : []))
}

/** A name without case, accents, spaces or punctuation: « haut uele » is Haut-Uélé. */
function letters(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
}
