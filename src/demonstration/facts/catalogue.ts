const drc = 'République démocratique du Congo'

/** Product categories with their product types. */
export const demonstrationCategories = [
  {
    name: 'Céréales et tubercules',
    description: 'Riz, maïs, manioc, froment et leurs farines, vendus au kilo ou au sac',
    types: [
      'Riz',
      'Maïs',
      'Farine et semoule de maïs',
      'Manioc',
      'Pommes de terre et patates',
      'Farine de froment',
      'Pâtes alimentaires',
    ],
  },
  {
    name: 'Légumineuses et oléagineux',
    description: 'Haricots et arachides',
    types: ['Haricots', 'Arachides'],
  },
  {
    name: 'Huiles et condiments',
    description: 'Huiles de cuisine, sucre, sel et concentré de tomate',
    types: ['Huile de palme', 'Huile végétale', 'Sucre', 'Sel', 'Concentré de tomate'],
  },
  {
    name: 'Viandes et poissons',
    description: 'Viandes fraîches et surgelées, poissons frais, fumés et en conserve',
    types: ['Viande fraîche', 'Volaille et œufs', 'Poisson', 'Conserves de poisson', 'Chenilles'],
  },
  {
    name: 'Fruits et légumes',
    description: 'Légumes frais, légumes-feuilles et bananes plantains',
    types: ['Légumes frais', 'Légumes-feuilles', 'Fruits et bananes plantains'],
  },
  {
    name: 'Produits laitiers',
    description: 'Lait en poudre, fromages et margarine',
    types: ['Lait en poudre', 'Fromage', 'Margarine'],
  },
  {
    name: 'Boissons',
    description: 'Bières, boissons gazeuses, eau et café',
    types: ['Bière', 'Boissons gazeuses', 'Eau', 'Café'],
  },
  {
    name: 'Hygiène et entretien',
    description: 'Savons, lessive et dentifrice',
    types: ['Savon', 'Lessive', 'Dentifrice'],
  },
] as const

export type TypeName = (typeof demonstrationCategories)[number]['types'][number]

/** Brands with the country of their manufacturer. Unprocessed farm and fish products have no brand. */
export const demonstrationBrands = {
  'African Queen': 'Namibie',
  Anny: 'Maroc',
  Azam: 'Tanzanie',
  'Blue Band': 'Pays-Bas',
  'Coca-Cola': 'États-Unis',
  Colgate: 'États-Unis',
  Cowbell: 'Afrique du Sud',
  Gino: 'Espagne',
  Illovo: 'Zambie',
  Jangaard: 'Norvège',
  'Kwilu-Ngongo': drc,
  'La Vache qui rit': 'France',
  'Le Coq': drc,
  Lion: 'Thaïlande',
  Marsavco: drc,
  Midema: drc,
  Minocongo: drc,
  Monganga: drc,
  'Mother’s Pride': 'Zambie',
  Mukwano: 'Ouganda',
  Namsov: 'Namibie',
  Nescafé: 'Suisse',
  Nido: 'Suisse',
  Omo: 'Royaume-Uni',
  Panzani: 'France',
  Primus: drc,
  Regina: drc,
  Sadia: 'Brésil',
  Seara: 'Brésil',
  Simba: drc,
  Skol: drc,
  Swissta: drc,
} as const

export type BrandName = keyof typeof demonstrationBrands
