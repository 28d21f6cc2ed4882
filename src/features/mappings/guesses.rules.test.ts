import { expect, test } from 'vitest'
import { parseFreeDay } from '#features/mappings/free-values.rules.ts'
import { guessMapping } from '#features/mappings/guesses.rules.ts'
import { namedInTitle } from '#features/mappings/titles.rules.ts'

const head = (...titles: string[]) => {
  const cells: Record<string, string> = {
    Date: '10/03/2025',
    Article: 'Riz local',
    Prix: '2010',
    Unité: 'kg',
  }
  return { titles, rows: Array.from({ length: 3 }, () => titles.map((title) => cells[title] ?? 'Gambela')) }
}
const fieldsOf = (...titles: string[]) => guessMapping(head(...titles), []).fields

test('the only column for a place is the market, and with one for the market it is the town', () => {
  const alone = fieldsOf('Date', 'Lieu', 'Article', 'Prix', 'Unité')
  expect(alone).toMatchObject({ market: { column: 'Lieu' }, product: { column: 'Article' } })
  expect(alone).not.toHaveProperty('location')
  expect(fieldsOf('Date', 'Lieu', 'Marché', 'Article', 'Prix', 'Unité')).toMatchObject({
    market: { column: 'Marché' },
    location: { column: 'Lieu' },
  })
})

const guessed = (text: string) => {
  const [titles = [], ...rows] = text.split('\n').map((line) => line.split(';'))
  const { fields } = guessMapping(
    { titles, rows },
    titles.map(() => nothingKnown),
  )
  return Object.fromEntries(
    Object.entries(fields).map(([key, told]) => [key, 'column' in told ? told.column : told]),
  )
}
const nothingKnown = { market: 0, product: 0, location: 0, category: 0 }

test('the day of a form is the stated one, not the one when it was opened or sent', () => {
  const form = (today: string) =>
    `start;end;${today};deviceid;Marché;Produit;Prix;_submission_time\n2026-03-02T09:12:33.120+01:00;2026-03-02T09:20:00.000+01:00;2026-03-01;ee.kobo:x1;Zando;Sel;500;2026-03-02T08:21:00`
  expect(guessed(form('today'))).toMatchObject({ day: 'today', market: 'Marché', price: 'Prix' })
  expect(guessed(form('Date_enquete'))).toMatchObject({ day: 'Date_enquete' })
  const plain = form('x').replaceAll(';x;', ';').replace(';2026-03-01;', ';')
  expect(guessed(plain)).toMatchObject({ day: 'start' })
})

test('a column for the interviewer is the collector, in either gender', () => {
  for (const title of ['Enquêteur', 'Enquêtrice', 'Nom de la collectrice', 'Nom du collecteur'])
    expect(fieldsOf('Date', 'Marché', 'Article', 'Prix', title)).toMatchObject({
      collector: { column: title },
    })
})

test('a file of FEWS NET is read by its own columns, ignoring conversions, comparisons and numbers', () => {
  const titles =
    'country_code;country;admin_1;admin_2;fnid;market;market_id;cpcv2;product;product_source;price_type;unit;currency;start_date;period_date;value;exchange_rate;common_unit;common_unit_price;common_currency_price;status;collection_status;latitude;longitude;source_organization;pct_change_from_one_month_ago'
  const row =
    'CD;Congo, Democratic Republic of the;Nord-Kivu;Goma;CD2015A1;Goma, Virunga;123;R01122AA;Maize Grain (White);Local;Retail;kg;CDF;2026-01-01;2026-01-31;1450.5;2800.5;kg;1450.5;0.52;Accepted;Published;-1.67;29.23;FEWS NET;0.05'
  expect(guessed(`${titles}\n${row}`)).toEqual({
    day: 'period_date',
    market: 'market',
    product: 'product',
    price: 'value',
    unit: 'unit',
    currency: 'currency',
    province: 'admin_1',
    location: 'admin_2',
    format: 'price_type',
    source: 'source_organization',
  })
})

test('figures that look like years are prices, and years are years', () => {
  const table = 'Année;Mois;Produit;Marché;Prix\n2025;mars;Sucre;Zando;2000\n2025;avril;Sucre;Zando;2010'
  expect(guessed(table)).toMatchObject({ year: 'Année', day: 'Mois', price: 'Prix' })
})

test.each([
  ['Prix en dollars', 'USD'],
  ['Prix ($/kg)', 'USD'],
  ['Price US$', 'USD'],
  ['prix_usd', 'USD'],
  ['Prix (FC)', 'CDF'],
  ['Prix en FC ou $', 'CDF'],
])('prices under « %s » are proposed in %s', (title, currency) => {
  const rows = [['2026-03-02', 'Zando', 'Sel', '500']]
  const { fields } = guessMapping({ titles: ['Date', 'Marché', 'Produit', title], rows }, [])
  expect(fields).toMatchObject({ price: { column: title }, currency: { value: currency } })
})

test('a column of currencies is recognised, whichever they are', () => {
  const cells = ['FC', 'USD', '€', 'Shilling'].map((told) => `2026-03-02;Zando;Sel;500;${told}`)
  expect(guessed(`Date;Marché;Produit;Prix;Devise\n${cells.join('\n')}`)).toMatchObject({
    price: 'Prix',
    currency: 'Devise',
  })
  const paid = guessed('Date;Marché;Produit;Prix;Montant en devise\n2026-03-02;Zando;Sel;500;1')
  expect(paid).toMatchObject({ price: 'Prix', currency: { value: 'CDF' } })
})

test('titles in the plural are recognised', () => {
  const titles = 'Dates;Marchés;Denrées;Unités;Prix'
  const told = guessed(`${titles}\n2026-03-02;Zando;Sel;kg;500`)
  expect(['day', 'market', 'product', 'unit', 'price'].map((key) => told[key])).toEqual(titles.split(';'))
})

test('titles in lingala and in swahili are recognised', () => {
  const wanted = ['day', 'market', 'product', 'price', 'currency']
  for (const titles of ['Mokolo;Zando;Eloko;Ntalo;Mbongo', 'Tarehe;Soko;Bidhaa;Bei;Sarafu']) {
    const told = guessed(`${titles}\n2026-03-02;Virunga;Sel;500;FC`)
    expect(wanted.map((key) => told[key])).toEqual(titles.split(';'))
  }
})

test.each([
  ['Code pays', 'COD'],
  ['admin0', 'COD'],
  ['organisation', 'PAM'],
  ['org', 'USD'],
  ['country_code', 'CDF'],
  ['_id', '4512'],
  ['price_id', '4512'],
  ['N°', '12'],
  ['Année', '2026'],
  ['Exercice budgétaire', '2026'],
  ['Campagne', '2026'],
  ['survey year', '2026'],
])('a column « %s » is proposed neither as the price nor as the currency', (title, cell) => {
  const rows = [['2026-03-02', 'Zando', 'Sel', cell]]
  const { fields } = guessMapping({ titles: ['Date', 'Marché', 'Produit', title], rows }, [])
  expect(fields).toMatchObject({ currency: { value: 'CDF' } })
  expect(fields).not.toHaveProperty('price')
})

test.each(['Devise', 'Code devise', 'currency_code', 'ISO currency', 'Monnaie'])(
  'a column « %s » is still proposed as the currency',
  (title) => {
    const told = guessed(`Date;Marché;Produit;Prix;${title}\n2026-03-02;Zando;Sel;500;USD`)
    expect(told).toMatchObject({ price: 'Prix', currency: title })
  },
)

test.each([
  '2026-01-06T09:12',
  '2026-01-06T09:12:33.123',
  '2026-01-06 09:12',
  '2026-01-06',
  '6/1/2026T09:12',
])('a moment « %s » is read as its day', (cell) => {
  const { value } = parseFreeDay(cell)
  expect(value?.day ?? value?.readings?.dayFirst).toBe('2026-01-06')
})

test.each([
  ['riz_prix', 'Riz', null],
  ['groupe_cereales/prix_riz_local_kg', 'Riz', 'kg'],
  ['Prix Riz (FC/kg)', 'Riz', 'kg'],
  ['Prix du savon (pièce)', 'Savon', 'pièce'],
  ['Prix moyen de l’huile de palme (1 litre)', 'Huile de palme', '1 litre'],
  ['Farine de maïs 25 kg', 'Farine de maïs', '25 kg'],
  ['Median price of beans (CDF)', 'Beans', null],
  ['Prix (FC)', '', null],
  ['Prix max', '', null],
])('%s is recognised above prices of « %s », by %s', (title, name, unit) => {
  expect(namedInTitle(title)).toEqual({ name, unit })
})

test('several prices of one product, and columns of other figures, are not read as products in columns', () => {
  const titles = 'Date;Marché;Produit;Prix min;Prix max;Prix moyen;Nombre'
  expect(guessed(`${titles}\n2026-03-01;Zando;Sel;500;600;550;5`)).toMatchObject({ product: 'Produit' })
  const places = 'Date;Marché;Prix;Latitude;Longitude;Population'
  expect(guessed(`${places}\n2026-03-01;Zando;500;-4.3;15.3;12000`)).not.toHaveProperty('product')
})
