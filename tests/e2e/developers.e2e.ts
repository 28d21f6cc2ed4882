import { expect, test } from 'vitest'
import { phone, story } from '../support/browser.ts'

const { url, open } = await story()

test('a developer finds the API reference from the home page, without a script', async () => {
  const page = await open('/', { viewport: phone, scripts: false })
  await page.getByRole('link', { name: 'API pour développeurs' }).first().click()
  await page.getByRole('heading', { name: 'API pour développeurs', level: 1 }).waitFor()
  await page.getByText(`curl "${url}/api/prices?limit=5"`).waitFor()
  await page.getByText('Python', { exact: true }).first().click()
  await page.getByText('import os, requests').first().waitFor()
  await page.getByText('Toutes les pages').click()
  await page.getByRole('link', { name: 'Prix relevés' }).click()
  await page.getByRole('heading', { name: 'Prix relevés', level: 1 }).waitFor()
  await page.getByText('GET /api/prices', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'payment_required' }).first().click()
  await page.waitForURL('**/developpeurs#payment_required')
})

test('every page of the reference exists and is light, and an unknown page answers 404', async () => {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text()
  const pages = [...sitemap.matchAll(/<loc>([^<]*\/developpeurs[^<]*)<\/loc>/g)].map(([, page = '']) => page)
  expect(pages.length).toBeGreaterThan(25)
  for (const page of pages) {
    const answer = await fetch(page, { headers: { 'accept-encoding': 'br' } })
    expect(answer.status, page).toBe(200)
    expect(answer.headers.get('content-encoding')).toBe('br')
    const text = await answer.text()
    expect(text, page).not.toMatch(/undefined|\[object Object\]|ntalo\.example/)
  }
  const { status } = await fetch(`${url}/developpeurs/reference/rien`)
  expect(status).toBe(404)
})

test('the page of the keys leads to the reference, and a new key stays until it is closed', async () => {
  const page = await open('/developpeurs/cles', { as: 'super admin' })
  await page.getByRole('button', { name: 'Nouvelle clé', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Nouvelle clé' })
  await form.getByLabel('Nom').fill('Achats')
  await form.getByRole('button', { name: 'Créer la clé' }).click()
  const made = page.getByRole('dialog', { name: 'Votre nouvelle clé' })
  await made.waitFor()
  await page.keyboard.press('Escape')
  await made.getByRole('button', { name: 'J’ai copié la clé' }).click()
  await page.getByRole('link', { name: 'référence de l’API' }).click()
  await page.getByRole('heading', { name: 'API pour développeurs', level: 1 }).waitFor()
})
