import { afterAll, expect, test } from 'vitest'
import { createGoogle } from '#features/auth/google/google.gateway.ts'
import { notified, password, story } from '../support/browser.ts'
import { mailsTo } from '../support/mails.ts'
import { openidClient, openidServer } from '../support/openid-server.ts'
import { testDefaults } from '../support/server.ts'

const provider = await openidServer()
afterAll(provider.close)
const { db, open, url, dataDir, newAccount } = await story({
  hasJobs: true,
  google: createGoogle({ issuer: provider.url, ...openidClient, log: testDefaults.log }),
})

test('a user signs in with Google and reaches the requested page, and Back leads to no code', async () => {
  provider.person = { sub: 'g-1', email: 'divine@exemple.cd', email_verified: true, name: 'Divine Ilunga' }
  const page = await open('/auth/login?redirectUrl=/profile')
  await page.getByRole('link', { name: 'Continuer avec Google' }).click()
  await page.waitForURL(`${url}/profile`)
  await notified(page, 'Connexion réussie')
  await page.getByRole('main').getByText('divine@exemple.cd').first().waitFor()
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(
    /code|state/,
  )
})

test('a user who signed in with Google and needs a password is led to choose one, and then continues', async () => {
  const { id, email } = await newAccount('collector')
  await db
    .updateTable('app_user')
    .set({ google_sub: 'g-3', password_hash: null })
    .where('id', '=', id)
    .execute()
  provider.person = { sub: 'g-3', email, email_verified: true }
  const page = await open('/auth/login?redirectUrl=/settings')
  await page.getByRole('link', { name: 'Continuer avec Google' }).click()
  await page.getByRole('button', { name: 'Choisir un mot de passe' }).waitFor()
  await page.getByRole('button', { name: 'Activer', exact: true }).click()
  const first = page.getByRole('dialog', { name: 'Choisissez d’abord un mot de passe' })
  await first.getByRole('button', { name: 'Recevoir le lien' }).click()
  await first.getByText(`Un lien part vers ${email}.`, { exact: false }).waitFor()
  const [mail] = await mailsTo(dataDir, email, 1)
  const link = new URL(mail?.url ?? '')
  await page.goto(url + link.pathname + link.search)
  for (const name of ['password', 'confirmPassword']) await page.locator(`#${name}`).fill(password)
  await page.getByRole('button', { name: 'Enregistrer le mot de passe' }).click()
  await page.waitForURL(/\/auth\/login/)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Mot de passe' }).fill(password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.waitForURL(/\/dashboard/)
  await page.goto(`${url}/settings`)
  await page.getByRole('button', { name: 'Changer d’e-mail' }).click()
  const change = page.getByRole('dialog', { name: 'Changer d’adresse e-mail' })
  await change.getByRole('textbox', { name: 'Mot de passe actuel' }).waitFor()
})

test('without a script the same button signs in', async () => {
  provider.person = { sub: 'g-2', email: 'exauce@exemple.cd', email_verified: true }
  const page = await open('/auth/register', { scripts: false })
  await page.getByRole('link', { name: 'Continuer avec Google' }).click()
  await page.getByRole('button', { name: 'Terminer la connexion' }).click()
  await page.waitForURL(`${url}/dashboard`)
})

test('a sign-in that cannot be finished leads back to the sign-in page, or to another try', async () => {
  for (const path of ['/auth/google/callback?token=abc&user=1', '/auth/callback']) {
    const page = await open(path)
    await page.getByText('Aucun jeton, utilisateur ou code d’autorisation trouvé').waitFor()
  }
  const page = await open('/auth/google/callback?code=perdu&state=perdu')
  await page.getByText('Impossible de se connecter avec Google. Veuillez réessayer.').waitFor()
  await expect
    .poll(() => page.getByRole('link', { name: 'Réessayer' }).getAttribute('href'))
    .toBe('/auth/google')
  await page.getByRole('link', { name: 'Retour à la connexion' }).click()
  await page.waitForURL(`${url}/auth/login`)
})

test('the sign-in page says when the provider does not answer', async () => {
  const page = await open('/auth/login')
  await page.route('**/api/auth/google/initiate*', (route) => route.fulfill({ json: {} }))
  await page.getByRole('link', { name: 'Continuer avec Google' }).click()
  await page.getByText('Impossible de démarrer la connexion avec Google. Veuillez réessayer.').waitFor()
})
