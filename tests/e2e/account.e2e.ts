import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { stepAt, totpOf } from '#server/session/totp.ts'
import { notified, password, story } from '../support/browser.ts'
import { picture } from '../support/pictures.ts'
import { client } from '../support/server.ts'

const { db, url, open, newAccount } = await story()

test('a user changes their name from the account menu, and the header shows the new name', async () => {
  const account = await newAccount('collector', { name: 'Josué Paluku' })
  const page = await open('/dashboard', { as: account })
  await page.getByRole('button', { name: /^Compte de/ }).click()
  for (const name of ['Mon compte', 'Paramètres', 'Profil', 'Se déconnecter']) {
    await page.getByRole('menuitem', { name }).waitFor()
  }
  await page.getByRole('menuitem', { name: 'Profil' }).click()
  await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Modifier le profil' }).click()
  const form = page.getByRole('dialog', { name: 'Modifier le profil' })
  await form.getByLabel('Nom').fill('Josué P.')
  await form.getByLabel('Localité').fill('Beni')
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await notified(page, 'Profil mis à jour avec succès')
  await page.getByRole('button', { name: /Compte de Josué P\./ }).waitFor()
  await expect.poll(() => page.getByRole('main').innerText()).toMatch(/Beni/)
})

test('leaving the profile asks before a chosen picture, or its removal, is lost', async () => {
  const account = await newAccount('collector')
  const page = await open('/profile', { as: account })
  const form = page.getByRole('dialog', { name: 'Modifier le profil' })
  const question = page.getByRole('alertdialog', { name: 'Abandonner la saisie ?' })
  const abandon = async () => {
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Abandonner', exact: true }).click()
    await form.waitFor({ state: 'hidden' })
  }
  const edit = page.getByRole('button', { name: 'Modifier le profil' })
  const buffer = await picture().png().toBuffer()
  const choose = async () => {
    await edit.click()
    await form.getByLabel('Photo').setInputFiles({ name: 'moi.png', mimeType: 'image/png', buffer })
    await form.getByText('moi.png').waitFor()
  }
  await choose()
  await abandon()
  await choose()
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await notified(page, 'Profil mis à jour avec succès')
  await edit.click()
  await form.getByRole('button', { name: 'Retirer la photo' }).click()
  await abandon()
  await edit.click()
  await form.getByRole('button', { name: 'Retirer la photo' }).click()
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await form.waitFor({ state: 'hidden' })
  const stored = db.selectFrom('app_user').select('avatar_url').where('id', '=', account.id)
  expect(await stored.executeTakeFirst()).toEqual({ avatar_url: null })
})

test('changing the password requires the current one and ends other sessions, and the user’s data can be downloaded', async () => {
  const account = await newAccount('user', { ageDays: 1 })
  const elsewhere = await open('/settings', { as: account })
  await elsewhere.getByRole('heading', { name: 'Paramètres', level: 1 }).waitFor()
  const page = await open('/settings', { as: account })
  await page.getByRole('button', { name: 'Déconnecter', exact: true }).click()
  await notified(page, 'Session terminée')
  await expect.poll(() => page.getByRole('button', { name: 'Déconnecter', exact: true }).count()).toBe(0)

  await page.getByRole('button', { name: 'Changer le mot de passe' }).click()
  const form = page.getByRole('dialog', { name: 'Changer le mot de passe' })
  await form.getByRole('textbox', { name: 'Mot de passe actuel' }).fill('faux')
  await form.getByRole('textbox', { name: 'Nouveau mot de passe' }).fill('pili-pili et chikwangue')
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await form.getByText('Ce n’est pas votre mot de passe actuel').first().waitFor()
  await form.getByRole('textbox', { name: 'Mot de passe actuel' }).fill(password)
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await notified(page, 'Mot de passe modifié avec succès')

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Télécharger mes données' }).click()
  expect((await saved).suggestedFilename()).toBe('mes-donnees-ntalo.json')

  await page.getByRole('button', { name: 'Fermer mon compte' }).click()
  const closing = page.getByRole('dialog', { name: /^Fermer votre compte/ })
  await closing.getByRole('textbox', { name: 'Mot de passe actuel' }).fill('pili-pili et chikwangue')
  await closing.getByRole('button', { name: 'Fermer mon compte' }).click()
  await page.waitForURL(/\/auth\/login/)
})

test('an administrator reads in the journal who changed what', async () => {
  const admin = await newAccount('admin', { name: 'Rachel Amani' })
  await client(url, null, null).post('/api/auth/login', { email: admin.email, password })
  const page = await open('/journal?action=sign-in', { as: admin })
  await page
    .getByRole('row', { name: /Rachel Amani.*Connexion/ })
    .first()
    .waitFor()
  await page
    .getByRole('button', { name: /^Voir l’entrée/ })
    .first()
    .click()
  const entry = page.getByRole('dialog', { name: /^Connexion/ })
  await expect.poll(() => entry.innerText()).toMatch(/Adresse\s+127\.0\.0\.1/)
})

test('a second factor is turned on with an application’s code, and the next sign-in asks for one', async () => {
  const account = await newAccount('user', { ageDays: 1 })
  const page = await open('/settings', { as: account })
  await page.getByRole('button', { name: 'Activer', exact: true }).click()
  const begin = page.getByRole('dialog', { name: 'Activer la vérification en deux étapes' })
  await begin.getByRole('textbox', { name: 'Mot de passe actuel' }).fill(password)
  await begin.getByRole('button', { name: 'Continuer' }).click()
  const confirm = page.getByRole('dialog', { name: 'Votre application' })
  await confirm.waitFor()
  await confirm.getByRole('textbox', { name: 'Code de vérification' }).fill(await codeFor(account.id))
  await confirm.getByRole('button', { name: 'Activer', exact: true }).click()
  const codes = page.getByRole('dialog', { name: 'Codes de secours' })
  const recovery = await codes.getByRole('listitem').first().innerText()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    codes.getByRole('button', { name: 'Télécharger' }).click(),
  ])
  expect(await readFile(await file.path(), 'utf8')).toContain(`${recovery}\n`)
  await codes.getByRole('button', { name: 'Je les ai notés' }).click()
  await page.getByText('Il reste 10 codes de secours.').waitFor()

  const [plain, visitor] = [await open('/auth/login', { scripts: false }), await open('/auth/login')]
  for (const each of [plain, visitor]) {
    await each.getByLabel('Email').fill(account.email)
    await each.getByRole('textbox', { name: 'Mot de passe' }).fill(password)
    await each.getByRole('button', { name: 'Se connecter' }).click()
    // The request for a code is shown as a status, a wrong code as an error.
    const asked = each.getByRole('status').filter({ hasText: 'Vérification en deux étapes' })
    await asked.getByText('Entrez le code de votre application').waitFor()
    await each.getByRole('textbox', { name: 'Code de vérification' }).waitFor()
  }
  await visitor.getByRole('textbox', { name: 'Code de vérification' }).fill('000 000')
  await visitor.getByRole('button', { name: 'Se connecter' }).click()
  await visitor.getByText('Ce code n’est pas le bon').waitFor()
  const code = visitor.getByRole('textbox', { name: 'Code de vérification' })
  await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true')
  await code.fill(recovery)
  await visitor.getByRole('button', { name: 'Se connecter' }).click()
  await visitor.waitForURL(/\/dashboard/)
})

async function codeFor(userId: number): Promise<string> {
  const { secret } = await db
    .selectFrom('second_factor')
    .select('secret')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return totpOf(secret, stepAt(Date.now()))
}
