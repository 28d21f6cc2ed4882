import { expect, test } from 'vitest'
import { goInside, password, story } from '../support/browser.ts'

const { url, open, newAccount } = await story()
const aline = await newAccount('admin', { name: 'Aline Mbuyi' })

test('a visitor who asks for a protected page signs in first, and then sees the page as he asked for it', async () => {
  const page = await open('/')
  const programs: string[] = []
  page.on('request', (request) => /assets\/index-.*js$/.test(request.url()) && programs.push(request.url()))
  await page.goto(`${url}/brands?country=Kenya&page=1`)
  await page.waitForURL('**/auth/login')
  // On 2G the program alone takes ten seconds, and would then lead here too.
  expect(programs).toEqual([])
  await page.reload()
  await page.getByLabel('Email').fill(aline.email)
  await page.getByRole('textbox', { name: 'Mot de passe' }).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/brands?country=Kenya*')
  await page.getByRole('button', { name: 'Retirer le filtre Pays : Kenya' }).waitFor()
})

test('somebody signed in who asks for the sign-in page is led to the dashboard, and Back does not trap him', async () => {
  const page = await open('/', { as: aline })
  await page.goto(`${url}/auth/login`)
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { name: 'Bonjour Aline Mbuyi' }).waitFor()
  await page.goBack()
  await page.waitForURL(`${url}/`)
})

test('who has just signed out and signs in again starts at the dashboard, not where another user was', async () => {
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

test('an unknown address says so with status 404, and its buttons lead back and home', async () => {
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

test('an unknown address met inside the program shows the same page, whose buttons work too', async () => {
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
