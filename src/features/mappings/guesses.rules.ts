// What columns of somebody's table may be, by their titles and by what stands in them.

import {
  currencyNamed,
  isDayTitle,
  parseDayOf,
  parseFreeAmount,
  parseFreeDay,
} from '#features/mappings/free-values.rules.ts'
import type { MappedFieldKey } from '#features/mappings/mapped-fields.contract.ts'
import type { MappedField, Mapping } from '#features/mappings/mappings.contract.ts'
import { instantWithOffset } from '#features/mappings/moments.rules.ts'

type Head = { readonly titles: readonly string[]; readonly rows: readonly (readonly string[])[] }

/** How much of what stands in a column is a name that we know, from 0 to 1. */
export type KnownNames = Readonly<Record<'market' | 'product' | 'location' | 'category', number>>

// The first words are the surest; the last are lingala and swahili.
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

/** A title as words: without case, accents, signs, the groups that forms put before it, and what stands in brackets. */
function wordsOf(title: string): string {
  const last = title.split('/').at(-1) ?? title
  return last
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\(.*?\)|\[.*?\]/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\b(?:de|du|des|d|la|le|les|l|the|of) /g, '')
    .trim()
}

/** « Denrées » and « denrée » are one word. */
function singular(words: string): string {
  return words.replaceAll(/s(?= |$)/g, '')
}

/** 3 for the very word, less the later it comes in the list; 1 when the title only begins with or contains it. */
function scoreOfTitle(title: string, field: MappedFieldKey): number {
  const told = singular(wordsOf(title))
  const list = words[field].map(singular)
  const at = list.indexOf(told)
  if (at >= 0) return 3 - at / list.length
  const within = list.findIndex((word) => ` ${told} `.includes(` ${word} `))
  return within < 0 ? 0 : 1.5 - within / list.length
}

/** How much of a column are days; spreadsheets' numbers of days, which may be amounts, only count beside others. */
function shareOfDays(filled: readonly string[]): number {
  const plain = filled.filter((cell) => !/^\d{5}(?:\.\d+)?$/.test(cell.trim()))
  // Where another column tells the year, this one names the month.
  const known = plain.filter(
    (cell) =>
      instantWithOffset.test(cell.trim()) ||
      (/\p{L}/u.test(cell) ? parseDayOf(cell, '2000') : parseFreeDay(cell)).reason === undefined,
  )
  return plain.length === 0 ? 0 : known.length / plain.length
}

type Content = {
  filled: number
  days: number
  years: number
  amounts: number
  currencies: number
  distinct: number
  mean: number
}

// Codes of countries and names of organisations have three capitals too.
const currencyCodes = new Set(Intl.supportedValuesOf('currency'))

// What numbers rows, whatever else its title says.
const numbering = /(?:^| )(?:ids?|uuid|identifiants?|identifier|numero|num|no?|index|matricule)(?= |$)/
// What else is written in figures or in capitals.
const otherSubject =
  /(?:^| )(?:codes?|pcode|iso ?[23]?|pays|country|nation|organi[sz]ations?|organismes?|orgs?|ong|ngo|partenaires?|partners?|annees?|years?|an|exercice)(?= |$)/

/** Whether the title of a column says that it is neither a price nor a currency. */
function isNoAmount(title: string, field: 'price' | 'currency'): boolean {
  const score = scoreOfTitle(title, field)
  if (score >= 2) return false
  const told = wordsOf(title)
  return numbering.test(told) || (score === 0 && otherSubject.test(told))
}

function contentOf(cells: readonly string[]): Content {
  const filled = cells.filter((cell) => cell.trim() !== '')
  const share = (is: (cell: string) => boolean) =>
    filled.length === 0 ? 0 : filled.filter(is).length / filled.length
  const amounts = filled.flatMap((cell) => parseFreeAmount(cell, ',').value?.cents ?? [])
  return {
    filled: filled.length,
    days: shareOfDays(filled),
    years: share((cell) => /^(?:19|20)\d\d$/.test(cell.trim())),
    amounts: filled.length === 0 ? 0 : amounts.length / filled.length,
    currencies: share((cell) => currencyNamed(cell) !== undefined || currencyCodes.has(cell.trim())),
    distinct: new Set(filled).size,
    mean: amounts.reduce((sum, cents) => sum + cents, 0) / Math.max(1, amounts.length),
  }
}

/** How well what stands in a column fits a field; null when it cannot be that. */
function scoreOfContent(field: MappedFieldKey, content: Content, known: KnownNames): number | null {
  const { filled, days, years, amounts, currencies } = content
  if (filled === 0) return 0
  if (field === 'year') return years >= 0.7 ? 0 : null
  if (field === 'day') return days >= 0.7 ? 1 : null
  if (field === 'price') return amounts >= 0.7 && days < 0.7 ? 0.8 : null
  // One that its title names says it of each row, in whichever they are.
  if (field === 'currency') return currencies >= 0.7 ? 1 : amounts >= 0.7 ? null : 0
  // Figures name nothing.
  if ((amounts >= 0.7 && field !== 'unit') || days >= 0.7) return null
  const names: Partial<Record<MappedFieldKey, number>> = known
  return (names[field] ?? 0) * 2
}

// As many days or months among the titles are those of prices.
const fewestAcross = 2

// A column that its title does not name must be this sure by what stands in it.
const least = 0.8

/**
 * Proposes which column each field is.
 *
 * @param known for each column
 */
export function guessMapping({ titles, rows }: Head, known: readonly KnownNames[]): Mapping {
  const all = titles.map((title, at) => {
    const cells = rows.map((row) => row[at] ?? '')
    return { title, cells, content: contentOf(cells), known: known[at] ?? unknown }
  })
  const ofDays = all.filter(({ title }) => isDayTitle(title))
  const isAcross = ofDays.length >= fewestAcross
  const columns = isAcross ? all.filter((column) => !ofDays.includes(column)) : all
  const candidates = columns.flatMap((column) =>
    fieldKeys.flatMap((field) => {
      if (isAcross && (field === 'day' || field === 'price')) return []
      if ((field === 'price' || field === 'currency') && isNoAmount(column.title, field)) return []
      // Prices of 2 000 francs look like years as well.
      if (field === 'price' && column.content.years >= 0.7 && scoreOfTitle(column.title, 'price') === 0)
        return []
      const fit = scoreOfContent(field, column.content, column.known)
      if (fit === null) return []
      const score = scoreOfTitle(column.title, field) + fit
      return score >= least ? [{ field, column, score }] : []
    }),
  )
  const fields: Partial<Record<MappedFieldKey, MappedField>> = {}
  const taken = new Set<string>()
  for (const { field, column } of candidates.toSorted((a, b) => b.score - a.score)) {
    if (fields[field] || taken.has(column.title)) continue
    fields[field] = { column: column.title, ...(isGrouped(field, column.cells) && { isGrouped: true }) }
    taken.add(column.title)
  }
  // Where a table has one column for a place, that is the market.
  if (!fields.market && fields.location) {
    fields.market = fields.location
    delete fields.location
  }
  if (isAcross) fields.day = { inTitles: true }
  const { price } = fields
  const ofPrices = isAcross
    ? ofDays
    : columns.filter(({ title }) => price && 'column' in price && title === price.column)
  const prices = ofPrices.flatMap(({ cells }) => cells)
  fields.currency ??= { value: currencyOf(ofPrices[0]?.title ?? '', prices) }
  return {
    name: null,
    titles: [...titles],
    fields: Object.fromEntries(Object.entries(fields)),
    decimal: 'auto',
    dateOrder: 'auto',
    names: { markets: {}, products: {} },
  }
}

// A total leaves the product blank: it must not take the one above it.
const mayBeGrouped: readonly MappedFieldKey[] = ['day', 'market', 'location', 'province', 'category']

/** Whether a column tells a thing once for the rows below: its first cell is filled, and a third of the others are not. */
function isGrouped(field: MappedFieldKey, cells: readonly string[]): boolean {
  const blank = cells.filter((cell) => cell.trim() === '').length
  return mayBeGrouped.includes(field) && (cells[0] ?? '').trim() !== '' && blank >= cells.length / 3
}

const fieldKeys: readonly MappedFieldKey[] = [
  'day',
  'market',
  'product',
  'price',
  'year',
  'currency',
  'unit',
  'location',
  'province',
  'category',
  'format',
  'collector',
  'source',
]
const unknown: KnownNames = { market: 0, product: 0, location: 0, category: 0 }

/** The currency that the title or the cells of prices name: « Prix ($/kg) », « Prix en dollars », « 1 500 FC ». */
function currencyOf(title: string, cells: readonly string[]): 'CDF' | 'USD' {
  const named = new Set(title.split(/[\s_()[\]/,:;-]+/).flatMap((word) => currencyNamed(word) ?? []))
  const [told] = named
  if (told && named.size === 1) return told
  const dollars = cells.filter((cell) => parseFreeAmount(cell, ',').value?.currency === 'USD').length
  return cells.length > 0 && dollars > cells.length / 2 ? 'USD' : 'CDF'
}
