import type { City } from '#demonstration/facts/places.ts'
import type { SupplyName } from '#demonstration/facts/supplies.ts'

// Goods imported through the port of Matadi cost more the farther they travel from it; imports reach the east from
// Mombasa and Dar es Salaam, and Katanga from Durban. Local produce is cheap where it grows: palm oil in Équateur and
// Kwilu, beans and potatoes in the Kivus, rice along the river, fish by the lakes. Checked against price reports of the
// Agence congolaise de presse and of Radio Okapi: palm oil 3 000 FC a litre at Bandundu (September 2024), maize 2 550
// FC a kilogram at Kinshasa (April 2025) and 900 at Mbuji-Mayi (October 2025), beans of Goma sold for 250 USD the 100
// kg at Kinshasa.

/** Difference from the price at Kinshasa, in percent. */
// biome-ignore format: one line per supply reads as a table
export const gaps: Record<SupplyName, Record<Exclude<City, 'Kinshasa'>, number>> = {
  imports: { Matadi: -5, Boma: -3, Kikwit: 12, Mbandaka: 20, Kisangani: 28, Kananga: 38, 'Mbuji-Mayi': 35, Lubumbashi: 4, Likasi: 8, Kolwezi: 12, Kalemie: 14, Uvira: 6, Bukavu: 5, Goma: 2, Butembo: 3, Bunia: 6, Kindu: 36 },
  frozen: { Matadi: -8, Boma: -6, Kikwit: 18, Mbandaka: 30, Kisangani: 35, Kananga: 45, 'Mbuji-Mayi': 42, Lubumbashi: 3, Likasi: 6, Kolwezi: 8, Kalemie: 25, Uvira: 20, Bukavu: 18, Goma: 12, Butembo: 20, Bunia: 18, Kindu: 48 },
  industry: { Matadi: 4, Boma: 2, Kikwit: 12, Mbandaka: 16, Kisangani: 6, Kananga: 32, 'Mbuji-Mayi': 30, Lubumbashi: 3, Likasi: 6, Kolwezi: 10, Kalemie: 22, Uvira: 14, Bukavu: 4, Goma: 8, Butembo: 15, Bunia: 16, Kindu: 30 },
  maize: { Matadi: -15, Boma: -12, Kikwit: -38, Mbandaka: -25, Kisangani: -30, Kananga: -42, 'Mbuji-Mayi': -45, Lubumbashi: -28, Likasi: -25, Kolwezi: -18, Kalemie: -38, Uvira: -22, Bukavu: -20, Goma: -30, Butembo: -36, Bunia: -33, Kindu: -22 },
  cassava: { Matadi: -18, Boma: -20, Kikwit: -40, Mbandaka: -35, Kisangani: -32, Kananga: -20, 'Mbuji-Mayi': -5, Lubumbashi: 5, Likasi: 6, Kolwezi: 10, Kalemie: -20, Uvira: -15, Bukavu: -5, Goma: 2, Butembo: -25, Bunia: -25, Kindu: -28 },
  localRice: { Matadi: 4, Boma: 6, Kikwit: -10, Mbandaka: -22, Kisangani: -30, Kananga: 6, 'Mbuji-Mayi': 10, Lubumbashi: 14, Likasi: 16, Kolwezi: 20, Kalemie: -8, Uvira: -16, Bukavu: -4, Goma: 6, Butembo: -8, Bunia: -10, Kindu: -30 },
  beans: { Matadi: -8, Boma: -6, Kikwit: 2, Mbandaka: 8, Kisangani: -10, Kananga: 6, 'Mbuji-Mayi': 4, Lubumbashi: -12, Likasi: -8, Kolwezi: -4, Kalemie: -18, Uvira: -28, Bukavu: -34, Goma: -46, Butembo: -44, Bunia: -34, Kindu: -14 },
  groundnuts: { Matadi: -8, Boma: -6, Kikwit: -25, Mbandaka: -5, Kisangani: -14, Kananga: -24, 'Mbuji-Mayi': -15, Lubumbashi: -6, Likasi: -4, Kolwezi: 2, Kalemie: -22, Uvira: -16, Bukavu: -8, Goma: -6, Butembo: -16, Bunia: -18, Kindu: -20 },
  palmOil: { Matadi: -8, Boma: -18, Kikwit: -36, Mbandaka: -40, Kisangani: -32, Kananga: -24, 'Mbuji-Mayi': -6, Lubumbashi: 22, Likasi: 24, Kolwezi: 27, Kalemie: -4, Uvira: 6, Bukavu: 10, Goma: 12, Butembo: -15, Bunia: -6, Kindu: -22 },
  vegetables: { Matadi: -14, Boma: -10, Kikwit: -12, Mbandaka: 6, Kisangani: -5, Kananga: 14, 'Mbuji-Mayi': 20, Lubumbashi: -4, Likasi: -2, Kolwezi: 10, Kalemie: 0, Uvira: -18, Bukavu: -20, Goma: -28, Butembo: -34, Bunia: -25, Kindu: 4 },
  plantain: { Matadi: -18, Boma: -30, Kikwit: -12, Mbandaka: -35, Kisangani: -45, Kananga: 4, 'Mbuji-Mayi': 14, Lubumbashi: 28, Likasi: 30, Kolwezi: 35, Kalemie: -6, Uvira: -10, Bukavu: -16, Goma: -18, Butembo: -38, Bunia: -40, Kindu: -32 },
  fish: { Matadi: -8, Boma: -14, Kikwit: -4, Mbandaka: -40, Kisangani: -28, Kananga: 20, 'Mbuji-Mayi': 22, Lubumbashi: 2, Likasi: 6, Kolwezi: 10, Kalemie: -42, Uvira: -36, Bukavu: -16, Goma: -12, Butembo: -10, Bunia: -24, Kindu: -24 },
  meat: { Matadi: -4, Boma: -6, Kikwit: -14, Mbandaka: -6, Kisangani: -5, Kananga: -10, 'Mbuji-Mayi': -4, Lubumbashi: -8, Likasi: -6, Kolwezi: 2, Kalemie: -18, Uvira: -18, Bukavu: -14, Goma: -22, Butembo: -22, Bunia: -30, Kindu: -8 },
  caterpillars: { Matadi: 2, Boma: 4, Kikwit: -35, Mbandaka: -38, Kisangani: -30, Kananga: -20, 'Mbuji-Mayi': -8, Lubumbashi: 10, Likasi: 6, Kolwezi: 4, Kalemie: 10, Uvira: 20, Bukavu: 20, Goma: 22, Butembo: 10, Bunia: 10, Kindu: -12 },
  highlands: { Matadi: 6, Boma: 8, Kikwit: 12, Mbandaka: 10, Kisangani: -8, Kananga: 16, 'Mbuji-Mayi': 14, Lubumbashi: -15, Likasi: -12, Kolwezi: -6, Kalemie: -12, Uvira: -28, Bukavu: -36, Goma: -50, Butembo: -50, Bunia: -34, Kindu: 0 },
}
