import type { BrandName, TypeName } from '#demonstration/facts/catalogue.ts'
import type { City } from '#demonstration/facts/places.ts'
import type { SupplyName } from '#demonstration/facts/supplies.ts'

export type ProductFacts = {
  code: string
  name: string
  type: TypeName
  /** Null for a product that is not manufactured. */
  brand: BrandName | null
  weight: string
  format: string
  origin: string
  supply: SupplyName
  /** Price at Kinshasa in January 2025, in CDF; the equivalent there for a product not sold at Kinshasa. */
  priceCdf: number
  /** Cities where it is sold; all of them when absent. */
  soldIn?: readonly City[]
  /** Yearly rise beyond general inflation, in percent. */
  drift?: number
  /** True for a product whose price is collected at almost every visit. */
  isStaple?: true
}

const west: readonly City[] = ['Kinshasa', 'Matadi', 'Boma', 'Kikwit']
const river: readonly City[] = ['Mbandaka', 'Kisangani']
const kasai: readonly City[] = ['Kananga', 'Mbuji-Mayi']
const katanga: readonly City[] = ['Lubumbashi', 'Likasi', 'Kolwezi']
const kivus: readonly City[] = ['Uvira', 'Bukavu', 'Goma', 'Butembo', 'Bunia']

const local = { brand: null, format: 'Détail', weight: '1 kg' } as const

// Prices of January 2025. Unbranded food is set so that its mean over all markets and the 24 months stays near a
// reference: the national mean of the World Food Programme for 2021 (CC BY-IGO), updated to October 2023 with the World
// Bank's monthly food price index of the DRC (Real Time Prices; times 1.336), and some percent above it for inflation
// since then; quotes.test.ts has these levels. Brands: the level at Kinshasa when the Agence congolaise de presse
// reported it: rice Lion 25 kg 74 000 FC (September 2024), wheat flour 50 kg 125 000 and oil Regina 5 L 31 500
// (February 2025), sardines Anny 50 tins 112 000, pilchards African Queen 24 tins 150 000, horse mackerel 10 000 FC a
// kilogram (October 2025). Others: estimated from similar products.
// biome-ignore format: one line per product reads as a table
export const demonstrationProducts: readonly ProductFacts[] = [
  { code: 'RIZ-LION-25', name: 'Riz parfumé Lion', type: 'Riz', brand: 'Lion', weight: '25 kg', format: 'Sac', origin: 'Thaïlande', supply: 'imports', priceCdf: 70_000, drift: -5, isStaple: true },
  { code: 'RIZ-LION-1', name: 'Riz parfumé Lion', type: 'Riz', brand: 'Lion', weight: '1 kg', format: 'Détail', origin: 'Thaïlande', supply: 'imports', priceCdf: 3_200, drift: -5, isStaple: true },
  { code: 'RIZ-LOC-1', ...local, name: 'Riz local blanchi', type: 'Riz', origin: 'Mongala', supply: 'localRice', priceCdf: 2_900, isStaple: true },
  { code: 'MAI-GRA-1', ...local, name: 'Maïs en grains', type: 'Maïs', origin: 'Kwilu', supply: 'maize', priceCdf: 1_040, isStaple: true },
  { code: 'MAI-FAR-1', ...local, name: 'Farine de maïs locale', type: 'Farine et semoule de maïs', origin: 'Lomami', supply: 'maize', priceCdf: 1_770, isStaple: true },
  { code: 'MAI-SEM-25', name: 'Semoule de maïs Extra', type: 'Farine et semoule de maïs', brand: 'Minocongo', weight: '25 kg', format: 'Sac', origin: 'Kinshasa', supply: 'industry', priceCdf: 35_500, soldIn: [...west, ...river, ...kasai] },
  { code: 'MAI-BRK-25', name: 'Farine de maïs Breakfast', type: 'Farine et semoule de maïs', brand: 'Mother’s Pride', weight: '25 kg', format: 'Sac', origin: 'Zambie', supply: 'imports', priceCdf: 50_500, soldIn: [...katanga, 'Kalemie', 'Mbuji-Mayi'], isStaple: true },
  { code: 'MAN-COS-1', ...local, name: 'Cossettes de manioc', type: 'Manioc', origin: 'Kwilu', supply: 'cassava', priceCdf: 840, isStaple: true },
  { code: 'MAN-FAR-1', ...local, name: 'Farine de manioc', type: 'Manioc', origin: 'Kwango', supply: 'cassava', priceCdf: 1_160, isStaple: true },
  { code: 'MAN-CHI-1', ...local, name: 'Chikwangue', type: 'Manioc', format: 'Pièce', origin: 'Kongo-Central', supply: 'cassava', priceCdf: 1_200, soldIn: [...west, ...river, 'Kindu'] },
  { code: 'TUB-POM-1', ...local, name: 'Pommes de terre', type: 'Pommes de terre et patates', origin: 'Nord-Kivu', supply: 'highlands', priceCdf: 1_610 },
  { code: 'TUB-PAT-1', ...local, name: 'Patates douces', type: 'Pommes de terre et patates', origin: 'Kongo-Central', supply: 'cassava', priceCdf: 930 },
  { code: 'FRO-MID-50', name: 'Farine de froment Midema', type: 'Farine de froment', brand: 'Midema', weight: '50 kg', format: 'Sac', origin: 'Kongo-Central', supply: 'industry', priceCdf: 121_000, soldIn: [...west, ...river, ...kasai] },
  { code: 'FRO-MID-1', name: 'Farine de froment Midema', type: 'Farine de froment', brand: 'Midema', weight: '1 kg', format: 'Sachet', origin: 'Kongo-Central', supply: 'industry', priceCdf: 3_000, soldIn: [...west, ...river, ...kasai] },
  { code: 'FRO-AZA-2', name: 'Farine de froment Azam', type: 'Farine de froment', brand: 'Azam', weight: '2 kg', format: 'Sachet', origin: 'Tanzanie', supply: 'imports', priceCdf: 6_200, soldIn: [...kivus, ...katanga, 'Kalemie', 'Kindu'] },
  { code: 'PAT-PAN-500', name: 'Spaghetti Panzani', type: 'Pâtes alimentaires', brand: 'Panzani', weight: '500 g', format: 'Paquet', origin: 'France', supply: 'imports', priceCdf: 3_100 },

  { code: 'HAR-ROU-1', ...local, name: 'Haricots rouges de Goma', type: 'Haricots', origin: 'Nord-Kivu', supply: 'beans', priceCdf: 3_450, isStaple: true },
  { code: 'HAR-ROU-100', ...local, name: 'Haricots rouges de Goma', type: 'Haricots', weight: '100 kg', format: 'Sac', origin: 'Nord-Kivu', supply: 'beans', priceCdf: 340_000, soldIn: ['Kinshasa', 'Kisangani', ...katanga, ...kivus] },
  { code: 'ARA-DEC-1', ...local, name: 'Arachides décortiquées', type: 'Arachides', origin: 'Kwango', supply: 'groundnuts', priceCdf: 4_400, isStaple: true },

  { code: 'HUI-PAL-1', ...local, name: 'Huile de palme', type: 'Huile de palme', weight: '1 L', origin: 'Équateur', supply: 'palmOil', priceCdf: 2_550, isStaple: true },
  { code: 'HUI-PAL-20', ...local, name: 'Huile de palme', type: 'Huile de palme', weight: '20 L', format: 'Bidon', origin: 'Kwilu', supply: 'palmOil', priceCdf: 48_000 },
  { code: 'HUI-REG-5', name: 'Huile végétale Regina', type: 'Huile végétale', brand: 'Regina', weight: '5 L', format: 'Bidon', origin: 'Kinshasa', supply: 'imports', priceCdf: 28_500 },
  { code: 'HUI-SIM-1', name: 'Huile végétale Simba', type: 'Huile végétale', brand: 'Marsavco', weight: '1 L', format: 'Bouteille', origin: 'Kinshasa', supply: 'industry', priceCdf: 5_450, isStaple: true },
  { code: 'HUI-MUK-1', name: 'Huile végétale Mukwano', type: 'Huile végétale', brand: 'Mukwano', weight: '1 L', format: 'Bouteille', origin: 'Ouganda', supply: 'imports', priceCdf: 6_000, soldIn: kivus },
  { code: 'SUC-KWN-1', name: 'Sucre roux', type: 'Sucre', brand: 'Kwilu-Ngongo', weight: '1 kg', format: 'Sachet', origin: 'Kongo-Central', supply: 'industry', priceCdf: 3_500, soldIn: [...west, ...river, ...kasai], isStaple: true },
  { code: 'SUC-ILL-1', name: 'Sucre blanc', type: 'Sucre', brand: 'Illovo', weight: '1 kg', format: 'Sachet', origin: 'Zambie', supply: 'imports', priceCdf: 3_600, soldIn: [...katanga, ...kivus, 'Kalemie', 'Kindu'], isStaple: true },
  { code: 'SEL-IOD-1', ...local, name: 'Sel iodé', type: 'Sel', format: 'Sachet', origin: 'Kongo-Central', supply: 'imports', priceCdf: 2_400, isStaple: true },
  { code: 'TOM-GIN-70', name: 'Concentré de tomate Gino', type: 'Concentré de tomate', brand: 'Gino', weight: '70 g', format: 'Boîte', origin: 'Ghana', supply: 'imports', priceCdf: 700 },

  { code: 'VIA-BOE-1', ...local, name: 'Viande de bœuf avec os', type: 'Viande fraîche', origin: 'Ituri', supply: 'meat', priceCdf: 14_000 },
  { code: 'VIA-CHE-1', ...local, name: 'Viande de chèvre', type: 'Viande fraîche', origin: 'Kwilu', supply: 'meat', priceCdf: 12_500 },
  { code: 'POU-SAD-1100', name: 'Poulet congelé Sadia', type: 'Volaille et œufs', brand: 'Sadia', weight: '1,1 kg', format: 'Pièce', origin: 'Brésil', supply: 'frozen', priceCdf: 12_500 },
  { code: 'CUI-SEA-1', name: 'Cuisses de poulet Seara', type: 'Volaille et œufs', brand: 'Seara', weight: '1 kg', format: 'Détail', origin: 'Brésil', supply: 'frozen', priceCdf: 9_250 },
  { code: 'CUI-SEA-10', name: 'Cuisses de poulet Seara', type: 'Volaille et œufs', brand: 'Seara', weight: '10 kg', format: 'Carton', origin: 'Brésil', supply: 'frozen', priceCdf: 87_500, soldIn: ['Kinshasa', 'Matadi', ...katanga, 'Bukavu', 'Goma'] },
  { code: 'OEU-PLA-30', ...local, name: 'Œufs de table, plateau de 30', type: 'Volaille et œufs', weight: '1,8 kg', format: 'Plateau', origin: 'Kinshasa', supply: 'frozen', priceCdf: 17_500 },
  { code: 'POI-CHI-1', name: 'Chinchard congelé 20+', type: 'Poisson', brand: 'Namsov', weight: '1 kg', format: 'Détail', origin: 'Namibie', supply: 'frozen', priceCdf: 9_900, drift: 2, isStaple: true },
  { code: 'POI-FRA-1', ...local, name: 'Tilapia frais', type: 'Poisson', origin: 'Équateur', supply: 'fish', priceCdf: 12_000 },
  { code: 'POI-FUM-1', ...local, name: 'Poisson fumé', type: 'Poisson', origin: 'Équateur', supply: 'fish', priceCdf: 16_500 },
  { code: 'POI-SAL-1', name: 'Poisson salé (makayabu)', type: 'Poisson', brand: 'Jangaard', weight: '1 kg', format: 'Détail', origin: 'Norvège', supply: 'imports', priceCdf: 10_500, soldIn: [...west, ...river, ...kasai, ...katanga] },
  { code: 'POI-NDA-500', ...local, name: 'Fretins séchés (ndakala)', type: 'Poisson', weight: '500 g', origin: 'Tanganyika', supply: 'fish', priceCdf: 9_500 },
  { code: 'CON-ANN-125', name: 'Sardines à l’huile Anny', type: 'Conserves de poisson', brand: 'Anny', weight: '125 g', format: 'Boîte', origin: 'Maroc', supply: 'imports', priceCdf: 2_700 },
  { code: 'CON-AFQ-425', name: 'Pilchards à la tomate African Queen', type: 'Conserves de poisson', brand: 'African Queen', weight: '425 g', format: 'Boîte', origin: 'Namibie', supply: 'imports', priceCdf: 7_200 },
  { code: 'CHE-SEC-500', ...local, name: 'Chenilles séchées (mbinzo)', type: 'Chenilles', weight: '500 g', origin: 'Maï-Ndombe', supply: 'caterpillars', priceCdf: 11_000, soldIn: [...west, ...river, ...kasai, ...katanga] },

  { code: 'LEG-TOM-1', ...local, name: 'Tomates fraîches', type: 'Légumes frais', origin: 'Kongo-Central', supply: 'vegetables', priceCdf: 3_600, isStaple: true },
  { code: 'LEG-OIG-1', ...local, name: 'Oignons rouges', type: 'Légumes frais', origin: 'Nord-Kivu', supply: 'vegetables', priceCdf: 4_300 },
  { code: 'LEG-AMA-500', ...local, name: 'Amarantes (lenga-lenga)', type: 'Légumes-feuilles', weight: '500 g', format: 'Botte', origin: 'Kinshasa', supply: 'vegetables', priceCdf: 1_100 },
  { code: 'LEG-PON-1', ...local, name: 'Feuilles de manioc (pondu)', type: 'Légumes-feuilles', origin: 'Kongo-Central', supply: 'vegetables', priceCdf: 1_700 },
  { code: 'BAN-PLA-1', ...local, name: 'Bananes plantains', type: 'Fruits et bananes plantains', origin: 'Tshopo', supply: 'plantain', priceCdf: 1_150 },

  { code: 'LAI-NID-400', name: 'Lait en poudre Nido', type: 'Lait en poudre', brand: 'Nido', weight: '400 g', format: 'Boîte', origin: 'Pays-Bas', supply: 'imports', priceCdf: 13_500 },
  { code: 'LAI-NID-2500', name: 'Lait en poudre Nido', type: 'Lait en poudre', brand: 'Nido', weight: '2,5 kg', format: 'Boîte', origin: 'Pays-Bas', supply: 'imports', priceCdf: 74_000, soldIn: ['Kinshasa', 'Matadi', 'Kisangani', 'Mbuji-Mayi', ...katanga, 'Bukavu', 'Goma', 'Bunia'] },
  { code: 'LAI-COW-350', name: 'Lait en poudre Cowbell', type: 'Lait en poudre', brand: 'Cowbell', weight: '350 g', format: 'Sachet', origin: 'Afrique du Sud', supply: 'imports', priceCdf: 8_800 },
  { code: 'FRO-VQR-120', name: 'La Vache qui rit, 8 portions', type: 'Fromage', brand: 'La Vache qui rit', weight: '120 g', format: 'Boîte', origin: 'France', supply: 'imports', priceCdf: 3_900, soldIn: ['Kinshasa', 'Matadi', 'Boma', ...katanga, 'Bukavu', 'Goma'] },
  { code: 'FRO-GOM-1', ...local, name: 'Fromage de Goma', type: 'Fromage', format: 'Pièce', origin: 'Nord-Kivu', supply: 'highlands', priceCdf: 23_000, soldIn: ['Kinshasa', 'Kisangani', 'Lubumbashi', ...kivus] },
  { code: 'MAR-BLU-250', name: 'Margarine Blue Band', type: 'Margarine', brand: 'Blue Band', weight: '250 g', format: 'Boîte', origin: 'Kenya', supply: 'imports', priceCdf: 3_900 },

  { code: 'BIE-PRI-72', name: 'Bière Primus', type: 'Bière', brand: 'Primus', weight: '72 cl', format: 'Bouteille', origin: 'Kinshasa', supply: 'industry', priceCdf: 3_700, isStaple: true },
  { code: 'BIE-SKO-72', name: 'Bière Skol', type: 'Bière', brand: 'Skol', weight: '72 cl', format: 'Bouteille', origin: 'Kinshasa', supply: 'industry', priceCdf: 3_600, soldIn: [...west, ...kasai] },
  { code: 'BIE-SIM-73', name: 'Bière Simba', type: 'Bière', brand: 'Simba', weight: '73 cl', format: 'Bouteille', origin: 'Haut-Katanga', supply: 'industry', priceCdf: 3_700, soldIn: [...katanga, ...kasai, 'Kalemie'] },
  { code: 'BOI-COC-33', name: 'Coca-Cola', type: 'Boissons gazeuses', brand: 'Coca-Cola', weight: '33 cl', format: 'Bouteille', origin: 'Kinshasa', supply: 'industry', priceCdf: 1_500 },
  { code: 'EAU-SWI-150', name: 'Eau de table Swissta', type: 'Eau', brand: 'Swissta', weight: '1,5 L', format: 'Bouteille', origin: 'Kinshasa', supply: 'industry', priceCdf: 1_800, soldIn: [...west, 'Mbandaka'] },
  { code: 'CAF-NES-50', name: 'Café soluble Nescafé', type: 'Café', brand: 'Nescafé', weight: '50 g', format: 'Boîte', origin: 'Côte d’Ivoire', supply: 'imports', priceCdf: 4_300 },

  { code: 'SAV-LEC-400', name: 'Savon de ménage Le Coq', type: 'Savon', brand: 'Le Coq', weight: '400 g', format: 'Pièce', origin: 'Kinshasa', supply: 'industry', priceCdf: 1_700, isStaple: true },
  { code: 'SAV-MON-100', name: 'Savon de toilette Monganga', type: 'Savon', brand: 'Monganga', weight: '100 g', format: 'Pièce', origin: 'Kinshasa', supply: 'industry', priceCdf: 1_400 },
  { code: 'LES-OMO-900', name: 'Lessive en poudre Omo', type: 'Lessive', brand: 'Omo', weight: '900 g', format: 'Sachet', origin: 'Afrique du Sud', supply: 'imports', priceCdf: 8_600 },
  { code: 'DEN-COL-75', name: 'Dentifrice Colgate', type: 'Dentifrice', brand: 'Colgate', weight: '75 ml', format: 'Tube', origin: 'Afrique du Sud', supply: 'imports', priceCdf: 3_200 },
]
