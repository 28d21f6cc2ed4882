// Recognises the fields of columns by their titles.

import { totalOf } from '#features/mappings/free-values.rules.ts'
import type { MappedFieldKey } from '#features/mappings/mapped-fields.contract.ts'
import { withoutAccents } from '#shared/accents.ts'

// The most certain words come first; Lingala and Swahili come last.
const words: Record<MappedFieldKey, readonly string[]> = {
  day: [
    'date',
    'jour',
    'date releve',
    'date collecte',
    'period date',
    'date observation',
    'observed on',
    'collection date',
    'date enquete',
    'today',
    'mois',
    'periode',
    'month',
    'period',
    'mokolo',
    'tarehe',
    'siku',
    'mwezi',
  ],
  year: ['annee', 'year', 'an', 'exercice', 'mwaka'],
  market: [
    'marche',
    'market',
    'market name',
    'nom marche',
    'lieu vente',
    'point vente',
    'site',
    'shop',
    'magasin',
    'zando',
    'soko',
  ],
  location: [
    'ville',
    'town',
    'city',
    'localite',
    'lieu',
    'commune',
    'location',
    'territoire',
    'cite',
    'admin2',
    'admin 2',
    'district',
    'village',
    'engumba',
    'mji',
  ],
  province: ['province', 'admin1', 'admin 1', 'region', 'etuka', 'mkoa', 'jimbo'],
  product: [
    'produit',
    'product',
    'article',
    'denree',
    'commodity',
    'designation',
    'nom produit',
    'product name',
    'libelle',
    'item',
    'aliment',
    'marchandise',
    'eloko',
    'biloko',
    'bidhaa',
  ],
  unit: [
    'unite',
    'unit',
    'unite mesure',
    'conditionnement',
    'mesure',
    'uom',
    'poids',
    'weight',
    'packaging',
    'quantite',
    'kipimo',
  ],
  price: [
    'prix',
    'price',
    'value',
    'prix unitaire',
    'montant',
    'prix releve',
    'prix moyen',
    'pu',
    'valeur',
    'amount',
    'average price',
    'cout',
    'ntalo',
    'motuya',
    'bei',
  ],
  currency: ['devise', 'currency', 'monnaie', 'currency code', 'mbongo', 'sarafu'],
  collector: [
    'collecteur',
    'enqueteur',
    'collector',
    'enumerator',
    'agent',
    'nom enqueteur',
    'enquetrice',
    'enqueteuse',
    'collectrice',
    'nom enquetrice',
    'nom collecteur',
    'nom collectrice',
    'releveur',
    'submitted by',
    'username',
    'nom agent',
    'releve par',
    'collecte par',
    'collected by',
  ],
  category: ['categorie', 'category', 'rubrique', 'groupe', 'famille', 'product group', 'rayon'],
  format: ['type prix', 'price type', 'pricetype', 'niveau', 'stade'],
  source: ['source', 'source organization', 'source document', 'data source', 'origine donnees'],
}

/**
 * Normalizes a title to words: without case, accents, punctuation, group prefixes of survey forms, and text in
 * brackets.
 */
function wordsOf(title: string): string {
  const last = title.split('/').at(-1) ?? title
  return withoutAccents(last)
    .toLowerCase()
    .replaceAll(/\(.*?\)|\[.*?\]/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\b(?:de|du|des|d|la|le|les|l|the|of) /g, '')
    .trim()
}

/** Removes the final « s » of words: « denrées » becomes « denrée ». */
function singular(words: string): string {
  return words.replaceAll(/s(?= |$)/g, '')
}

/**
 * Scores a title for a field: up to 3 for an exact word, less the later it comes in the list; 1 when the title only
 * begins with or contains one.
 */
export function scoreOfTitle(title: string, field: MappedFieldKey): number {
  const ofTitle = singular(wordsOf(title))
  const list = words[field].map(singular)
  const at = list.indexOf(ofTitle)
  if (at >= 0) return 3 - at / list.length
  const within = list.findIndex((word) => ` ${ofTitle} `.includes(` ${word} `))
  return within < 0 ? 0 : 1.5 - within / list.length
}

// Row numbers, whatever else the title says.
const numbering = /(?:^| )(?:ids?|uuid|identifiants?|identifier|numero|num|no?|index|matricule)(?= |$)/
// Other contents made of digits or capitals.
const otherSubject =
  /(?:^| )(?:codes?|pcode|iso ?[23]?|pays|country|nation|organi[sz]ations?|organismes?|orgs?|ong|ngo|partenaires?|partners?|annees?|years?|an|exercice)(?= |$)/

/** Whether the title of a column excludes that it is a price, or a currency. */
export function isNoAmount(title: string, field: 'price' | 'currency'): boolean {
  const score = scoreOfTitle(title, field)
  if (score >= 2) return false
  const words = wordsOf(title)
  return numbering.test(words) || (score === 0 && otherSubject.test(words))
}

// Numbers other than prices and row numbers.
const otherFigures =
  /(?:^| )(?:lat|latitude|lon|lng|longitude|altitude|gps|precision|population|menages?|nombres?|nb|number|count|stock|jours?|days|age|telephone|phone|tel|taux|rate|rang|rank|version|distance|duree|disponib\p{L}*|availability|variation|change|evolution|pct)(?= |$)/u

/**
 * Whether numbers under a title may be prices of what it names: « Riz », « riz_prix », but not « Latitude » nor «
 * Nombre de commerçants ».
 */
export function mayNameFigures(title: string): boolean {
  return !otherFigures.test(wordsOf(title)) && totalOf(title) === null
}

// Words of titles that describe prices without naming the product.
const describingWords = new Set(
  'prix price prices pu cout cost valeur value montant amount median mediane medians mean average avg moyen moyenne moyens unitaire unit unite min max minimum maximum detail gros retail wholesale releve local locale cdf fc usd franc francs congolais dollar dollars us'.split(
    ' ',
  ),
)
const stopWords = new Set('de du des d le la les l en par a au in per of the'.split(' '))
const unitInTitle =
  /^(?:\d+(?:[.,]\d+)?)?(?:kgs?|g|gr|l|lt|litres?|ml|cl|pieces?|pcs?|sacs?|bidons?|bottes?|tas|boites?|sachets?|bouteilles?|m3|m|tonnes?|verres?|meka|sakombi)$/

/** Whether a title says that its column holds prices. */
export function isOfPrices(title: string): boolean {
  return tokensOf(title).some((token) =>
    /^(?:prix|prices?|pu|couts?|costs?|montants?|bei|ntalo)$/.test(plain(token)),
  )
}

/**
 * Extracts the product and unit from the title of a price column: « Prix Riz (kg) » and `riz_prix_kg` give « Riz » and
 * kg.
 *
 * @returns a blank name when the title only says that it holds prices
 */
export function namedInTitle(title: string): { name: string; unit: string | null } {
  const inBrackets = [...title.matchAll(/\(([^)]*)\)|\[([^\]]*)\]/g)].map(
    (found) => found[1] ?? found[2] ?? '',
  )
  let unit = inBrackets.map(unitOf).find((each) => each !== null) ?? null
  const tokens = tokensOf(title).filter((token) => !describingWords.has(plain(token)))
  while (tokens.length > 0 && stopWords.has(plain(tokens[0] ?? ''))) tokens.shift()
  while (tokens.length > 1 && unitInTitle.test(plain(tokens.at(-1) ?? ''))) {
    const last = tokens.pop() ?? ''
    // A count and its unit as two tokens: « 25 kg ».
    const isCounted = tokens.length > 1 && /^\d+(?:[.,]\d+)?$/.test(tokens.at(-1) ?? '') && !/^\d/.test(last)
    unit ??= isCounted ? `${tokens.pop()} ${last}` : last
    while (tokens.length > 1 && stopWords.has(plain(tokens.at(-1) ?? ''))) tokens.pop()
  }
  while (tokens.length > 0 && stopWords.has(plain(tokens.at(-1) ?? ''))) tokens.pop()
  const name = tokens.join(' ')
  return { name: /\p{L}/u.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : '', unit }
}

// Splits a title into words, without text in brackets, group prefixes of survey forms, and punctuation.
function tokensOf(title: string): string[] {
  const last = title
    .replaceAll(/\(.*?\)|\[.*?\]/g, ' ')
    .split('/')
    .findLast((part) => /\p{L}{2}/u.test(part))
  return (last ?? title)
    .split(/[\s_:;,]+|(?<=\p{L}{2})[-.](?=\p{L}{2})|(?<=\b[dl])[’']/u)
    .filter((token) => /[\p{L}\p{N}]/u.test(token))
}

function plain(token: string): string {
  return withoutAccents(token).toLowerCase()
}

// Returns the unit in « FC/kg », « 25 kg » or « CDF par litre », by removing the currency.
function unitOf(text: string): string | null {
  const left = text
    .split(/[\s/]+/)
    .filter(
      (token) =>
        token !== '' && !describingWords.has(plain(token)) && !stopWords.has(plain(token)) && token !== '$',
    )
  return left.length > 0 && unitInTitle.test(plain(left.join(''))) ? left.join(' ') : null
}
