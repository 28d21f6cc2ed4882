import { expect, test } from 'vitest'
import { mondayOf } from '#shared/days.ts'
import { notified, phone, story } from '../support/browser.ts'
import { insertCategory, insertMarket, insertPrice, insertProduct, insertType } from '../support/catalogue.ts'
import { daysAgo } from '../support/market-days.ts'

const { db, url, open, newAccount } = await story()
const category = await insertCategory(db, 'Céréales')
const type_id = await insertType(db, { category_id: category, name: 'Riz' })
const markets = [await insertMarket(db, { location: 'Goma' }), await insertMarket(db, { location: 'Bukavu' })]
const weeksAgo = (weeks: number) => mondayOf(daysAgo(7 * weeks))
for (const rise of [0.1, 0.1, 0.4]) {
  const product_id = await insertProduct(db, { type_id })
  for (const market_id of markets) {
    for (let week = 1; week < 5; week++) {
      const price_value = week === 1 ? 1000 * (1 + rise) : 1000
      await insertPrice(db, { product_id, market_id, day: weeksAgo(week), price_value })
    }
  }
}

test('an administrator reads inflation, enters the figures of the INS, and finds them beside ours, with an explanation', async () => {
  const admin = await newAccount('admin')
  const page = await open('/statistiques/inflation?measure=weekly', { as: admin })
  const figures = page.getByRole('region', { name: 'Inflation de la dernière semaine' })
  await figures.getByText('+19,2 %').first().waitFor()
  await page.getByText('non pondéré').waitFor()
  const curve = page.getByRole('slider', { name: 'Indice hebdomadaire des prix, jour lu' })
  await curve.dispatchEvent('pointerdown', { pointerType: 'touch', clientX: 400 })
  await curve.getByText(/^semaine du \d+\s\S+\s\d{4}$/).waitFor()
  const chart = page.getByRole('figure').filter({ hasText: 'Indice hebdomadaire des prix' })
  await chart.getByRole('button', { name: 'Voir les données' }).click()
  await expect
    .poll(() => chart.getByRole('columnheader').allTextContents())
    .toEqual(['Semaine du', 'Indice', 'Remarque'])
  await chart.getByRole('cell', { name: 'provisoire' }).first().waitFor()
  await page.getByRole('heading', { name: 'Ce qui fait +19,2 %' }).waitFor()
  await page.getByRole('link', { name: 'Saisir un chiffre publié' }).click()
  await page.getByRole('button', { name: 'Ajouter un chiffre publié' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Mesure').selectOption('weekly')
  await form.getByLabel('Semaine du').fill(weeksAgo(1))
  await form.getByLabel('Pourcentage').fill('0,42')
  await form.getByLabel('Source').fill('Communiqué de l’INS')
  await form.getByRole('button', { name: 'Ajouter', exact: true }).click()
  await notified(page, 'Chiffre publié créé avec succès')
  await page.goto(`${url}/statistiques/inflation`)
  const explanation = page.getByText('Le nôtre est plus haut de 18,8 points')
  await explanation.waitFor()
  // On a phone it takes the full width, below its name.
  await page.setViewportSize(phone)
  await expect
    .poll(() => explanation.evaluate((node) => node.getBoundingClientRect().width))
    .toBeGreaterThan(250)
})

test('a reader filters inflation by city, which the address contains, also on a phone', async () => {
  const reader = await newAccount('manager')
  const page = await open('/statistiques/inflation', { as: reader, viewport: phone })
  await page.getByRole('button', { name: 'Filtres' }).click()
  await page.getByRole('combobox', { name: 'Ville' }).fill('gom')
  await page.getByRole('option', { name: 'Goma' }).click()
  await page.getByRole('button', { name: 'Voir les résultats' }).click()
  await expect.poll(() => page.url()).toContain('location=Goma')
  await page.getByText(/^3 séries suivies sur 3/).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Saisir un chiffre publié' }).count()).toBe(0)
})
