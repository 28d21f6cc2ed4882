import { expect, test } from 'vitest'
import { createGoogle } from '#features/auth/google/google.gateway.ts'
import { notified, story } from '../support/browser.ts'
import { openidClient, openidServer } from '../support/openid-server.ts'
import { kept } from '../support/server.ts'

const provider = await openidServer()
const { open, url } = await story({
  google: createGoogle({ issuer: provider.url, ...openidClient, log: kept.log }),
})

test('one signs in with Google and comes to the page that was asked for, and back of it lies no code', async () => {
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

test('without a script the same button signs in', async () => {
  provider.person = { sub: 'g-2', email: 'exauce@exemple.cd', email_verified: true }
  const page = await open('/auth/register', { scripts: false })
  await page.getByRole('link', { name: 'Continuer avec Google' }).click()
  await page.getByRole('button', { name: 'Terminer la connexion' }).click()
  await page.waitForURL(`${url}/dashboard`)
})

test('what cannot be finished leads back to sign-in or to another try', async () => {
  for (const path of ['/auth/google/callback?token=abc&user=1', '/auth/callback']) {
    const page = await open(path)
    await page.getByText('Aucun jeton, utilisateur ou code d’autorisation trouvé').waitFor()
  }
  const page = await open('/auth/google/callback?code=perdu&state=perdu')
  await page.getByText('Impossible de se connecter avec Google. Veuillez réessayer.').waitFor()
  expect(await page.getByRole('link', { name: 'Réessayer' }).getAttribute('href')).toBe('/auth/google')
  await page.getByRole('link', { name: 'Retour à la connexion' }).click()
  await page.waitForURL(`${url}/auth/login`)
})

test('a provider that is away is said on the page of sign-in', async () => {
  const page = await open('/auth/login')
  await page.route('**/api/auth/google/initiate*', (route) => route.fulfill({ json: {} }))
  await page.getByRole('link', { name: 'Continuer avec Google' }).click()
  await page.getByText('Impossible de démarrer la connexion avec Google. Veuillez réessayer.').waitFor()
})
