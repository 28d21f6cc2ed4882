import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { brandsListed } from '#features/statistics/statistics.rules.ts'
import { insertBrand, insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { forgetRate, setRate } from '../../../tests/support/rates.ts'
import { testServer } from '../../../tests/support/server.ts'
import { readWorkbook } from '../../../tests/support/workbooks.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')
const brand_id = await insertBrand(db, '=Lion')
const product_id = await insertProduct(db, { name: 'Riz «\u202fLion\u202f»', brand_id })
const market_id = await insertMarket(db, { name: 'Gambela' })
for (let n = 1; n <= 20; n++) {
  if (n === 7) continue
  const day = `2026-03-${String(n).padStart(2, '0')}`
  await insertPrice(db, { product_id, market_id, price_value: 1000 + n, day })
}
const query = 'startDate=2026-03-01&endDate=2026-03-31'

/** Inserts a row that is deleted after the test. */
const briefly = async (table: 'price' | 'product', written: Promise<number>) => {
  const id = await written
  onTestFinished(async () => void (await db.deleteFrom(table).where('id', '=', id).execute()))
  return id
}

const get = (format: string, more = '') =>
  reader.send(`/api/statistics/export?${query}&fileFormat=${format}${more}`, {})

test('the page of statistics as CSV has each figure with its unit and its definition', async () => {
  const answer = await get('csv', `&marketId=${market_id}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toMatch(/"statistiques-au-\d{4}-\d\d-\d\d\.csv"/)
  const lines = answer.bytes.toString().split('\r\n')
  expect(lines[0]).toBe('\ufeffRubrique;Élément;Valeur;Unité;Définition;Lien')
  expect(lines).toContain('Rapport;Période\u00a0: du 1er\u00a0mars\u00a02026 au 31\u00a0mars\u00a02026;;;;')
  expect(lines).toContain('Rapport;Marché\u00a0: Gambela, Kinshasa;;;;')
  const of = (start: string) => lines.find((line) => line.startsWith(start))
  expect(of('Chiffres clés;Prix collectés;19;')).toBeDefined()
  expect(of('Variation des chiffres clés;Prix collectés;19;relevés d’écart;')).toBeDefined()
  expect(of('Analyse des prix;Prix minimum;1001;FC;')).toBeDefined()
  expect(of('Prix moyen par jour;2026-03-06;1006;FC;')).toBeDefined()
  expect(of('Prix moyen par jour;2026-03-07')).toBeUndefined()
  expect(of('5 premiers marchés;Gambela;19;relevés;')).toBeDefined()
  expect(of("Produits par marque;'=Lion;1;produits;")).toBeDefined()
})

test('filters are named in full, and an unknown one is marked unknown', async () => {
  const lines = async (more: string) => (await get('csv', more)).bytes.toString().split('\r\n')
  expect(await lines(`&productId=${product_id}`)).toContain(
    'Rapport;Produit\u00a0: Riz «\u202fLion\u202f» · 1kg · Détail;;;;',
  )
  const unknown = await lines('&categoryId=999999&brandId=999999')
  expect(unknown).toContain('Rapport;Catégorie\u00a0: Catégorie inconnue;;;;')
  expect(unknown).toContain('Rapport;Marque\u00a0: Marque inconnue;;;;')
})

test('no filter is named by a raw value', async () => {
  const { rows } = await sql<{ id: number; name: string }>`
    select type.id, type.name from product join product_type type on type.id = type_id where product.id = ${product_id}`.execute(
    db,
  )
  const [type] = rows
  const lines = (await get('csv', `&kind=good&typeId=${type?.id}&minPrice=1250.5&writtenBy=7`)).bytes
    .toString()
    .split('\r\n')
  for (const said of [
    'Nature\u00a0: Bien',
    `Type\u00a0: ${type?.name}`,
    'Prix minimum\u00a0: 1\u202f250,5',
    'Saisi par\u00a0: le compte nº\u00a07',
  ]) {
    expect(lines).toContain(`Rapport;${said};;;;`)
  }
  expect((await get('csv', '&typeId=999999')).bytes.toString()).toContain('Type\u00a0: Type inconnu')
})

test('a selection without a change says why it has none', async () => {
  const ofOneDay = 'startDate=2026-03-20&endDate=2026-03-20&fileFormat=csv'
  const { bytes } = await reader.send(`/api/statistics/export?${ofOneDay}`, {})
  expect(bytes.toString()).toContain(
    'Insuffisant\u00a0: tous les relevés sont d’un seul jour\u00a0: une variation en demande deux.',
  )
})

test('prices in dollars without a rate are excluded, and the file counts them', async () => {
  await briefly(
    'price',
    insertPrice(db, { product_id, market_id, currency: 'USD', price_value: 2, day: '2026-03-12' }),
  )
  const lines = (await get('csv')).bytes.toString().split('\r\n')
  expect(lines.find((line) => line.includes('Source'))).toContain(
    '19 relevés, le dernier le 20\u00a0mars\u00a02026, 1 prix en dollars laissé de côté, sans taux connu. Établi',
  )
  // They were collected all the same.
  const currencies = lines.filter((line) => line.startsWith('Prix par devise;'))
  expect(currencies.map((line) => line.split(';').slice(1, 3))).toEqual([
    ['Franc congolais', '19'],
    ['Dollar américain', '1'],
  ])
})

test('products of one name are distinguished by their weight, and figures have their change', async () => {
  const other = await briefly(
    'product',
    insertProduct(db, { name: 'Riz «\u202fLion\u202f»', brand_id, weight: '25 kg' }),
  )
  for (const day of ['2026-03-20', '2026-03-21'])
    await briefly('price', insertPrice(db, { product_id: other, market_id, price_value: 50_000, day }))
  const lines = (
    await reader.send('/api/statistics/export?startDate=2026-03-11&endDate=2026-03-20&fileFormat=csv', {})
  ).bytes
    .toString()
    .split('\r\n')
  const named = lines
    .filter((line) => line.startsWith('5 premiers produits'))
    .map((line) => line.split(';')[1])
  expect(named).toEqual(['1kg, Riz «\u202fLion\u202f»', '25 kg, Riz «\u202fLion\u202f»'])
  // Eleven prices, nine in the ten days before.
  expect(lines.find((line) => line.startsWith('Variation des chiffres clés;Prix collectés'))).toContain(
    ';2;relevés d’écart;',
  )
})

test('of several products it has their index, with the weeks before a short period', async () => {
  const other = await briefly('product', insertProduct(db, { name: 'Sel', brand_id }))
  // The last makes an index of 103.648, shown as 103,6, and not the 103,7 that rounding 103.65 would give.
  for (const [day, price_value] of [
    ['2026-03-05', 500],
    ['2026-03-12', 500],
    ['2026-03-19', 530],
  ] as const)
    await briefly('price', insertPrice(db, { product_id: other, market_id, price_value, day }))
  const { body } = await reader.get(
    '/api/prices/analytics/summary?startDate=2026-03-16&endDate=2026-03-22&kind=good',
  )
  const { index, earlierIndex } = Object(body)
  expect([earlierIndex.length, index.length]).toEqual([2, 2])
  const asked = 'startDate=2026-03-16&endDate=2026-03-22'
  const csv = (await reader.send(`/api/statistics/export?${asked}&fileFormat=csv`, {})).bytes.toString()
  const values = csv
    .split('\r\n')
    .filter((line) => line.startsWith('Indice des prix par semaine;'))
    .map((line) => line.split(';').slice(1, 3))
  expect(values).toEqual(
    [...earlierIndex, ...index].map(({ week, value }) => [
      week,
      String(Math.round(value * 100) / 100).replace('.', ','),
    ]),
  )
  const pdf = (await reader.send(`/api/statistics/export?${asked}&fileFormat=pdf`, {})).bytes.toString(
    'latin1',
  )
  expect(pdf.match(/\/S \/Sect\b/g)).toHaveLength(11)
  expect(pdf.replaceAll('\0', '')).toMatch(/16\smars\s2026\s\\\(103,6\\\)/)
})

test('a workbook has the same lines as the CSV, with real numbers', async () => {
  const csv = (await get('csv')).bytes.toString().slice(1).trimEnd().split('\r\n')
  const [sheet] = readWorkbook((await get('xlsx')).bytes)
  // Definitions contain separators of CSV, where a text that looks like a formula is escaped.
  const said = csv.map((line) => line.split(';').slice(0, 4))
  const written = (cell: (typeof sheet & object)['rows'][number][number]) =>
    typeof cell === 'object' ? String(cell?.value ?? '').replace('.', ',') : cell.replace(/^=/, "'=")
  expect(sheet?.rows.map((row) => row.slice(0, 4).map(written))).toEqual(said)
  expect(new Set(sheet?.rows.map((row) => row.length))).toEqual(new Set([6]))
})

test('each count leads to the same number of rows, in a workbook as in a PDF', async () => {
  const other = await briefly('product', insertProduct(db, { name: 'Sel', brand_id }))
  const unbranded = await briefly('product', insertProduct(db, { name: 'Manioc', brand_id: null }))
  for (const id of [other, unbranded])
    await briefly(
      'price',
      insertPrice(db, { product_id: id, market_id, price_value: 500, currency: 'USD', day: '2026-03-05' }),
    )
  await setRate(db, { day: '2026-01-01', cdfPerUsd: 2500 })
  onTestFinished(() => forgetRate(db, '2026-01-01'))
  const [sheet] = readWorkbook((await get('xlsx')).bytes)
  const links = (sheet?.rows ?? []).flatMap(([, , cell, unit, , href]) => {
    const count = typeof cell === 'object' ? Number(cell?.value) : Number.NaN
    return ['relevés', 'produits'].includes(String(unit)) ? [{ count, href: new URL(String(href)) }] : []
  })
  expect(links.length).toBeGreaterThan(8)
  for (const { count, href } of links) {
    const { pathname, searchParams } = href
    const { body } = await reader.get(`/api${pathname}?${searchParams}`)
    expect(Object(body).pagination.total, href.search).toBe(count)
  }
  const text = (await get('pdf')).bytes.toString('latin1')
  const inPdf = new Set([...text.matchAll(/\/URI \(([^)]*)\)/g)].map(([, href]) => href))
  // A share of zero is not drawn.
  for (const { count, href } of links) if (count > 0) expect(inPdf).toContain(href.href)
})

test('counts of categories, brands and types lead to their lists, or nowhere when filters exclude some', async () => {
  const linked = async (more: string) => {
    const [sheet] = readWorkbook((await get('xlsx', more)).bytes)
    return ['Catégories', 'Marques', 'Types de produits', 'Prix collectés'].map((name) => {
      const href = sheet?.rows.find(([, element]) => element === name)?.[5]
      return href ? new URL(String(href)).pathname : null
    })
  }
  expect(await linked('')).toEqual(['/categories', '/brands', '/products', '/prices'])
  const ofAdmin = await (await server.as('admin')).send(`/api/statistics/export?${query}&fileFormat=csv`, {})
  expect(ofAdmin.bytes.toString()).toMatch(/;Utilisateurs;.*\/users/)
  expect(await linked(`&brandId=${brand_id}`)).toEqual([null, null, null, '/prices'])
})

test('brands beyond the named ones are counted, without a link since no list has their products', () => {
  const ranked = { data: [{ id: 1, name: 'Lion', count: 5 }], others: 3, unbranded: 2 }
  expect(brandsListed(ranked, { categoryId: 4 }).map(({ name, href }) => [name, href])).toEqual([
    ['Lion', '/products?categoryId=4&brandId=1'],
    ['Marques suivantes', null],
    ['Sans marque', '/products?categoryId=4&branded=false'],
  ])
})

test('the PDF is a document of pages in French, whatever the names are, and of an empty selection too', async () => {
  for (const more of ['', '&search=introuvable']) {
    const { status, headers, bytes } = await get('pdf', more)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const text = bytes.toString('latin1')
    expect(text.slice(0, 5)).toBe('%PDF-')
    expect(text.trimEnd().endsWith('%%EOF')).toBe(true)
    expect(text).toContain('/Lang (fr)')
    for (const mark of ['/Marked true', '/DisplayDocTitle true', '<pdfuaid:part>1'])
      expect(text).toContain(mark)
    const count = (tag: string) => text.match(new RegExp(`/S /${tag}\\b`, 'g'))?.length ?? 0
    expect([count('H1'), count('Sect'), count('H2')]).toEqual([1, 10, 10])
    // Every part links to its rows, with the filters of its selection.
    const links = [...text.matchAll(/\/URI \(([^)]*)\)/g)].map(([, href = '']) => new URL(href))
    expect(count('Link')).toBe(links.length)
    expect(links.length).toBeGreaterThanOrEqual(10 + (more ? 0 : 11))
    const paths = links.map(({ pathname }) => pathname)
    for (const path of ['/prices', '/products', '/markets']) expect(paths).toContain(path)
    // Only administrators may list accounts.
    expect(paths).not.toContain('/users')
    expect(Object.fromEntries(links[0]?.searchParams ?? [])).toEqual({
      ...(more && { search: 'introuvable' }),
      kind: 'good',
      startDate: '2026-03-01',
      endDate: '2026-03-31',
    })
    // A curve has an alternative text, a line of figures its heading.
    expect(count('Figure')).toBe(text.split('/Alt ').length - 1)
    expect(count('TH')).toBe(text.split('/Scope /Row').length - 1)
    expect(text).not.toContain('/BaseFont /Helvetica')
    expect(text.match(/\/Type \/Page\b/g)?.length).toBeGreaterThanOrEqual(2)
  }
})

test('reports are drawn one after the other, however many are requested', async () => {
  let drawing = 0
  let most = 0
  const count = (thread: Worker) => {
    drawing += 1
    most = Math.max(most, drawing)
    thread.once('exit', () => {
      drawing -= 1
    })
  }
  process.on('worker', count)
  onTestFinished(() => void process.off('worker', count))
  await Promise.all([get('pdf'), get('pdf'), get('pdf')])
  expect(most).toBe(1)
})
