// Provinces are the official ones. Coordinates are those of the market when it is in the market list of the World Food
// Programme (CC BY-IGO): Liberté, UPN, Nyawera, Kadutu, Virunga. The others are the city's coordinates in that list,
// moved to the market's quarter, with an error of about one kilometre.

/**
 * Climate zone: two rainy seasons in the north and west, one in the south, a different rhythm in the eastern highlands.
 */
export type Climate = 'west' | 'river' | 'east' | 'south'

type CityFacts = {
  province: string
  climate: Climate
  /**
   * Probability, from 0 to 1, that a dear enough product is priced in dollars: highest near the borders and the mines.
   */
  dollarHabit: number
}

export const cities = {
  Kinshasa: { province: 'Kinshasa', climate: 'west', dollarHabit: 0.12 },
  Matadi: { province: 'Kongo-Central', climate: 'west', dollarHabit: 0.1 },
  Boma: { province: 'Kongo-Central', climate: 'west', dollarHabit: 0.06 },
  Kikwit: { province: 'Kwilu', climate: 'west', dollarHabit: 0.03 },
  Mbandaka: { province: 'Équateur', climate: 'river', dollarHabit: 0.03 },
  Kisangani: { province: 'Tshopo', climate: 'river', dollarHabit: 0.07 },
  Kananga: { province: 'Kasaï-Central', climate: 'south', dollarHabit: 0.04 },
  'Mbuji-Mayi': { province: 'Kasaï-Oriental', climate: 'south', dollarHabit: 0.1 },
  Lubumbashi: { province: 'Haut-Katanga', climate: 'south', dollarHabit: 0.25 },
  Likasi: { province: 'Haut-Katanga', climate: 'south', dollarHabit: 0.18 },
  Kolwezi: { province: 'Lualaba', climate: 'south', dollarHabit: 0.31 },
  Kalemie: { province: 'Tanganyika', climate: 'south', dollarHabit: 0.07 },
  Uvira: { province: 'Sud-Kivu', climate: 'east', dollarHabit: 0.15 },
  Bukavu: { province: 'Sud-Kivu', climate: 'east', dollarHabit: 0.25 },
  Goma: { province: 'Nord-Kivu', climate: 'east', dollarHabit: 0.31 },
  Butembo: { province: 'Nord-Kivu', climate: 'east', dollarHabit: 0.28 },
  Bunia: { province: 'Ituri', climate: 'east', dollarHabit: 0.25 },
  Kindu: { province: 'Maniema', climate: 'east', dollarHabit: 0.05 },
} as const satisfies Record<string, CityFacts>

export type City = keyof typeof cities

export type MarketFacts = {
  name: string
  city: City
  latitude: number
  longitude: number
  /** Difference from the other markets of the city, in percent: Liberté has wholesalers, Gambela has shops. */
  dearness: number
  /** Days on which farmers come to sell, 1 for Monday to 7 for Sunday. */
  marketDays: readonly number[]
}

// biome-ignore format: one line per market reads as a table
export const demonstrationMarkets: readonly MarketFacts[] = [
  { name: 'Zando (Grand Marché)', city: 'Kinshasa', latitude: -4.3105, longitude: 15.3136, dearness: 0, marketDays: [2, 5] },
  { name: 'Gambela', city: 'Kinshasa', latitude: -4.3402, longitude: 15.3081, dearness: 4, marketDays: [3, 6] },
  { name: 'Marché de la Liberté', city: 'Kinshasa', latitude: -4.40329, longitude: 15.37774, dearness: -5, marketDays: [2, 6] },
  { name: 'Marché UPN', city: 'Kinshasa', latitude: -4.40599, longitude: 15.25644, dearness: 1, marketDays: [4, 6] },
  { name: 'Marché Damar', city: 'Matadi', latitude: -5.8222, longitude: 13.4635, dearness: 1, marketDays: [3, 6] },
  { name: 'Marché central', city: 'Boma', latitude: -5.8502, longitude: 13.0558, dearness: 0, marketDays: [2, 5] },
  { name: 'Marché Lukolela', city: 'Kikwit', latitude: -5.0386, longitude: 18.8181, dearness: 0, marketDays: [3, 6] },
  { name: 'Marché central', city: 'Mbandaka', latitude: 0.0487, longitude: 18.2603, dearness: 0, marketDays: [1, 5] },
  { name: 'Marché central', city: 'Kisangani', latitude: 0.5153, longitude: 25.191, dearness: 1, marketDays: [2, 6] },
  { name: 'Marché Salongo', city: 'Kananga', latitude: -5.8958, longitude: 22.4178, dearness: 0, marketDays: [3, 6] },
  { name: 'Bakwa Dianga', city: 'Mbuji-Mayi', latitude: -6.1362, longitude: 23.5898, dearness: 0, marketDays: [2, 5] },
  { name: 'Marché Kenya', city: 'Lubumbashi', latitude: -11.6832, longitude: 27.4786, dearness: -3, marketDays: [3, 6] },
  { name: 'Marché Mzee Laurent-Désiré Kabila', city: 'Lubumbashi', latitude: -11.6643, longitude: 27.4794, dearness: 3, marketDays: [2, 6] },
  { name: 'Marché central', city: 'Likasi', latitude: -10.9814, longitude: 26.7333, dearness: 0, marketDays: [2, 5] },
  { name: 'Marché Manika', city: 'Kolwezi', latitude: -10.7167, longitude: 25.4725, dearness: 2, marketDays: [3, 6] },
  { name: 'Marché Maendeleo', city: 'Kalemie', latitude: -5.923, longitude: 29.1946, dearness: 0, marketDays: [2, 5] },
  { name: 'Marché Mulongwe', city: 'Uvira', latitude: -3.4067, longitude: 29.1419, dearness: 0, marketDays: [1, 4] },
  { name: 'Kadutu', city: 'Bukavu', latitude: -2.5201, longitude: 28.8516, dearness: -2, marketDays: [3, 6] },
  { name: 'Nyawera', city: 'Bukavu', latitude: -2.50578, longitude: 28.86287, dearness: 4, marketDays: [2, 5] },
  { name: 'Virunga', city: 'Goma', latitude: -1.6675, longitude: 29.23417, dearness: 0, marketDays: [2, 5] },
  { name: 'Marché central', city: 'Butembo', latitude: 0.1417, longitude: 29.2911, dearness: 0, marketDays: [3, 6] },
  { name: 'Marché central', city: 'Bunia', latitude: 1.5667, longitude: 30.25, dearness: 0, marketDays: [2, 6] },
  { name: 'Marché central', city: 'Kindu', latitude: -2.95, longitude: 25.9333, dearness: 0, marketDays: [3, 6] },
]
