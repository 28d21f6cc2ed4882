import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { notified, password, story } from '../support/browser.ts'
import { hasFocus } from '../support/browser-checks.ts'
import { insertBrand } from '../support/catalogue.ts'

const { db, url, open, newAccount, endSessions, followed } = await story()
const aline = await newAccount('admin', { name: 'Aline Mbuyi' })

test('a user signs in, is greeted by name, and signs out without leaving data in the browser', async () => {
  const page = await open('/auth/login')
  await fillIn(page, aline.email, password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.waitForURL('**/dashboard')
  await notified(page, 'Connexion réussie')
  await page.getByRole('heading', { name: 'Bonjour Aline Mbuyi' }).waitFor()
  await expect.poll(() => hasFocus(page.getByRole('heading', { level: 1 }).first())).toBe(true)
  expect(await kept(page)).not.toMatch(/token|[\w-]{43}/)
  await signOut(page)
  await page.waitForURL('**/auth/login')
  await page.getByRole('status').getByText('Déconnexion réussie').waitFor()
  await expect.poll(() => kept(page)).toBe('[{},{}]')
  // The cookie that identifies the browser gives no access.
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['ntalo_device'])
  await page.goto(`${url}/dashboard`)
  await page.waitForURL('**/auth/login')
})

test('a wrong password is refused and cleared, and the e-mail stays even when the page is reloaded', async () => {
  const page = await open('/auth/login')
  await fillIn(page, aline.email, 'mauvais mot de passe')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Erreur de connexion').waitFor()
  await page.getByRole('alert').getByText('Email ou mot de passe incorrect').waitFor()
  await expect.poll(() => typed(page)).toEqual([aline.email, ''])
  await expect.poll(() => hasFocus(page.getByRole('textbox', { name: 'Mot de passe' }))).toBe(true)
  await page.reload()
  await expect.poll(() => typed(page)).toEqual([aline.email, ''])
})

test('empty fields are marked, and the first of them gets the focus', async () => {
  const page = await open('/auth/login')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.getByRole('alert').getByText('Veuillez remplir tous les champs').waitFor()
  await expect.poll(() => hasFocus(page.getByLabel('Email'))).toBe(true)
  await page.getByLabel('Email').fill(aline.email)
  await page.keyboard.press('Enter')
  await expect.poll(() => hasFocus(page.getByRole('textbox', { name: 'Mot de passe' }))).toBe(true)
  await expect.poll(() => page.getByText('Ce champ est obligatoire').count()).toBe(1)
})

test('the password can be shown and hidden again', async () => {
  const page = await open('/auth/login')
  const field = page.getByRole('textbox', { name: 'Mot de passe' })
  await field.fill('abc')
  await page.getByRole('button', { name: 'Afficher le mot de passe' }).click()
  await expect.poll(() => field.getAttribute('type')).toBe('text')
  await page.getByRole('button', { name: 'Masquer le mot de passe' }).click()
  await expect.poll(() => field.getAttribute('type')).toBe('password')
})

test('the owner of a suspended account is told so', async () => {
  const { id, email } = await newAccount('user')
  await db.updateTable('app_user').set({ status: 'SUSPENDED' }).where('id', '=', id).execute()
  const page = await open('/auth/login')
  await fillIn(page, email, password)
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Ce compte est suspendu.').waitFor()
})

test('signing out in one tab signs the other out, and signing in again restores it', async () => {
  const first = await open('/dashboard', { as: aline })
  const second = await first.context().newPage()
  await second.goto(`${url}/brands`)
  await second.getByRole('heading', { name: 'Marques' }).waitFor()
  await signOut(first)
  await second.waitForURL('**/auth/login')
  await fillIn(first, aline.email, password)
  await first.keyboard.press('Enter')
  await first.waitForURL('**/dashboard')
  await second.waitForURL('**/dashboard')
})

/** Sends the form of a new brand after the session of Aline has ended; `again` asks to sign in again. */
async function sendAfterSessionEnd(name: string) {
  const page = await open('/brands', { as: aline })
  // A list, or suggestions, loaded later would ask for the password before the form is sent.
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer une marque' })
  await form.getByLabel('Nom').fill(name)
  const suggested = page.waitForResponse((answer) => answer.url().includes('/countries?search=RD'))
  await form.getByLabel('Pays').fill('RD Congo')
  await suggested
  await endSessions(aline)
  await page.keyboard.press('Enter')
  const again = page.getByRole('dialog', { name: 'Votre session est terminée' })
  return { page, form, again }
}

test('a session that ends while a form is open asks for the password, and the form is not cleared', async () => {
  const { page, form, again } = await sendAfterSessionEnd('Bralima')
  await again.waitFor()
  await expect.poll(() => again.getByLabel('Email').inputValue()).toBe(aline.email)
  await again.getByRole('textbox', { name: 'Mot de passe' }).fill('mauvais')
  await page.keyboard.press('Enter')
  await again.getByText('Email ou mot de passe incorrect').waitFor()
  await again.getByRole('textbox', { name: 'Mot de passe' }).fill(password)
  await page.keyboard.press('Enter')

  await notified(page, 'Marque créée avec succès')
  await form.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Bralima', exact: true }).waitFor()
})

test('without a password, signing in again in another tab resumes the form of the first', async () => {
  const { page, again } = await sendAfterSessionEnd('Skol')
  const opened = page.context().waitForEvent('page')
  await again.getByRole('link', { name: 'Connectez-vous dans un autre onglet' }).click()
  const other = await opened
  await fillIn(other, aline.email, password)
  await other.keyboard.press('Enter')
  await other.waitForURL('**/dashboard')
  await notified(page, 'Marque créée avec succès')
  await again.waitFor({ state: 'hidden' })
})

test('a user who cannot sign in again over a form may leave it, after a confirmation', async () => {
  const page = await open('/brands', { as: aline })
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer une marque' })
  await form.getByLabel('Nom').fill('Abandonnée')
  await form.getByLabel('Pays').fill('RD Congo')
  await endSessions(aline)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Votre session est terminée' }).waitFor()
  await page.getByRole('button', { name: 'Se déconnecter' }).click()
  const question = page.getByRole('alertdialog', { name: 'Abandonner la saisie ?' })
  await question.getByRole('button', { name: 'Abandonner', exact: true }).click()
  await page.waitForURL('**/auth/login')
  await expect.poll(() => page.locator(':modal').count()).toBe(0)
})

test('a session that ends while no form is open leads to the sign-in page, then back to the same page', async () => {
  const page = await open('/brands?sort=-name', { as: aline })
  // Other requests of the page would find the session ended before the search.
  await page.waitForLoadState('networkidle')
  await endSessions(aline)
  await page.getByRole('searchbox', { name: 'Rechercher une marque' }).fill('bra')
  await page.waitForURL('**/auth/login')
  await fillIn(page, aline.email, password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/brands?sort=-name&search=bra')
})

test('an expired access token is renewed once, without interaction, for all the requests that meet it', async () => {
  await insertBrand(db, 'Marsavco')
  const page = await open('/dashboard', { as: aline })
  await page.getByRole('heading', { name: 'Bonjour Aline Mbuyi' }).waitFor()
  const renewals: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/refresh')) renewals.push(request.url())
  })
  await followed(aline, () =>
    db
      .updateTable('session_token')
      .set({ expires_at: new Date(0) })
      .where('kind', '=', 'access')
      .execute(),
  )
  await page.getByRole('link', { name: 'Marques' }).first().click()
  await page.getByRole('link', { name: 'Marsavco', exact: true }).waitFor()
  expect(renewals).toHaveLength(1)
})

test('a visitor’s browser sends no request that would be refused', async () => {
  const page = await open('/')
  const refused: string[] = []
  page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
  await page.goto(`${url}/auth/login`)
  await page.getByRole('button', { name: 'Se connecter' }).waitFor()
  await page.goto(`${url}/prices`)
  await page.waitForURL('**/auth/login')
  expect(refused).toEqual([])
})

test('a user can sign in before any script has loaded, and reaches the application', async () => {
  const page = await open('/auth/login')
  // The page's own script never loads; those of the application do.
  await page.route('**/assets/auth-form-*', (route) => route.abort())
  await page.reload()
  await fillIn(page, aline.email, 'mauvais mot de passe')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Email ou mot de passe incorrect').waitFor()
  await expect.poll(() => typed(page)).toEqual([aline.email, ''])
  await fillIn(page, aline.email, password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { name: 'Bonjour Aline Mbuyi' }).waitFor()
})

async function fillIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Mot de passe' }).fill(secret)
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compte de' }).click()
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
}

function typed(page: Page): Promise<string[]> {
  return Promise.all([
    page.getByLabel('Email').inputValue(),
    page.getByRole('textbox', { name: 'Mot de passe' }).inputValue(),
  ])
}

/** Returns the data in the browser that scripts can read. */
function kept(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]) + document.cookie)
}
