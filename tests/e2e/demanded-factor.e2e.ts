import { expect, test } from 'vitest'
import { stepAt, totpOf } from '#server/session/totp.ts'
import { password, phone, story } from '../support/browser.ts'

const { db, open, newAccount } = await story({ demandsSecondFactor: true })

test('an administrator must set up a second factor before anything else, and then sees the menu', async () => {
  const account = await newAccount('super admin')
  const page = await open('/users', { as: account, viewport: phone })
  await page.getByRole('heading', { name: 'Protégez votre compte', level: 1 }).waitFor()
  await page.route('**/api/auth/second-factor', (route) => route.abort())
  await page.reload()
  await page.getByText('Erreur lors du chargement de la vérification en deux étapes').waitFor()
  await page.unroute('**/api/auth/second-factor')
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await page.getByRole('button', { name: 'Activer', exact: true }).click()
  const begin = page.getByRole('dialog', { name: 'Activer la vérification en deux étapes' })
  await begin.getByRole('textbox', { name: 'Mot de passe actuel' }).fill(password)
  await begin.getByRole('button', { name: 'Continuer' }).click()
  const confirm = page.getByRole('dialog', { name: 'Votre application' })
  await confirm.getByRole('img', { name: /à photographier/ }).waitFor()
  const { secret } = await db
    .selectFrom('second_factor')
    .select('secret')
    .where('user_id', '=', account.id)
    .executeTakeFirstOrThrow()
  await confirm
    .getByRole('textbox', { name: 'Code de vérification' })
    .fill(totpOf(secret, stepAt(Date.now())))
  await confirm.getByRole('button', { name: 'Activer', exact: true }).click()
  const codes = page.getByRole('dialog', { name: 'Codes de secours' })
  await codes.waitFor()
  await expect.poll(() => codes.getByRole('listitem').count()).toBe(10)
  await codes.getByRole('button', { name: 'Je les ai notés' }).click()
  await page.getByRole('heading', { name: 'Gestion des Utilisateurs', level: 1 }).waitFor()
})
