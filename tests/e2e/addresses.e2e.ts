import { expect, test } from 'vitest'
import { goInside, password, story } from '../support/browser.ts'

const { url, open, newAccount } = await story()
const aline = await newAccount('admin', { name: 'Aline Mbuyi' })

test('a visitor who requests a protected page signs in first, and then sees that page at the same address', async () => {
  const page = await open('/')
  const programs: string[] = []
  page.on('request', (request) => /assets\/index-.*js$/.test(request.url()) && programs.push(request.url()))
  await page.goto(`${url}/brands?country=Kenya&page=1`)
  await page.waitForURL('**/auth/login')
  // No program is loaded: on 2G it would take ten seconds before it redirects here.
  expect(programs).toEqual([])
  await page.reload()
  await page.getByLabel('Email').fill(aline.email)
  await page.getByRole('textbox', { name: 'Mot de passe' }).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/brands?country=Kenya*')
  await page.getByRole('button', { name: 'Retirer le filtre Pays : Kenya' }).waitFor()
})

test('a signed-in user who requests the sign-in page is led to the dashboard, and Back still works', async () => {
  const page = await open('/', { as: aline })
  await page.goto(`${url}/auth/login`)
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { name: 'Bonjour Aline Mbuyi' }).waitFor()
  await page.goBack()
  await page.waitForURL(`${url}/`)
})

test('a user who signs in after another has signed out starts at the dashboard, not on the other user’s page', async () => {
  const page = await open('/brands?search=secret', { as: aline })
  await page.getByRole('button', { name: 'Compte de' }).click()
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
  await page.waitForURL('**/auth/login')
  const other = await newAccount('manager')
  await page.getByLabel('Email').fill(other.email)
  await page.getByRole('textbox', { name: 'Mot de passe' }).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
})

test('an unknown address answers 404, and the buttons of its page lead back and home', async () => {
  const page = await open('/')
  const answer = await page.goto(`${url}/nulle-part/du-tout`)
  expect(answer?.status()).toBe(404)
  await page.getByRole('heading', { name: 'Oups ! Page non trouvée' }).waitFor()
  await expect.poll(() => page.title()).toBe('Page non trouvée · Ntalo')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Mentions légales' }).waitFor()
  await expect
    .poll(() => page.getByRole('link', { name: 'Écrivez-nous' }).getAttribute('href'))
    .toBe('/contact')
  await page.getByRole('link', { name: 'Page précédente' }).click()
  await page.waitForURL(`${url}/`)
  await page.goForward()
  await page.getByRole('link', { name: 'Retour à l’accueil' }).click()
  await page.waitForURL(`${url}/`)
})

test('an unknown address opened inside the program shows the same page, and its buttons work', async () => {
  const page = await open('/dashboard', { as: aline })
  await page.getByRole('heading', { name: 'Bonjour Aline Mbuyi' }).waitFor()
  await goInside(page, '/nulle-part')
  await page.getByRole('heading', { name: 'Oups ! Page non trouvée' }).waitFor()
  await expect.poll(() => page.title()).toBe('Page non trouvée · Ntalo')
  await page.getByRole('button', { name: 'Page précédente' }).click()
  await page.getByRole('heading', { name: 'Bonjour Aline Mbuyi' }).waitFor()
  await goInside(page, '/nulle-part')
  await page.getByRole('link', { name: 'Retour à l’accueil' }).click()
  await page.waitForURL(`${url}/`)
  await page.getByRole('link', { name: 'Connexion' }).waitFor()
})

test('the home page and the 404 page can be read and followed without any script', async () => {
  const page = await open('/', { scripts: false })
  await page.getByRole('heading', { name: /Combien ça coûte/ }).waitFor()
  await expect
    .poll(() => page.getByRole('link', { name: 'Connexion' }).getAttribute('href'))
    .toBe('/auth/login')
  await page.goto(`${url}/nulle-part`)
  await page.getByRole('link', { name: 'Retour à l’accueil' }).click()
  await page.waitForURL(`${url}/`)
})
