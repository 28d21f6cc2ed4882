import { expect, test } from 'vitest'
import { password, phone, story } from '../support/browser.ts'
import { mailsTo } from '../support/mails.ts'

const { open, url, newAccount, dataDir } = await story({ hasJobs: true })

/** Returns the link of a mail, on the server of this story. */
async function linkTo(address: string, count: number): Promise<string> {
  const mail = (await mailsTo(dataDir, address, count)).at(-1)
  const { pathname, search } = new URL(mail?.url ?? '')
  return pathname + search
}

test('a visitor registers, confirms the address by the link, and signs in', async () => {
  const page = await open('/auth/register', { viewport: phone })
  await page.getByLabel('Nom complet').fill('Nadège Mukendi')
  await page.getByLabel('Email').fill('nadege@exemple.cd')
  // The error is shown once before anything is sent, and the form is not cleared.
  await page.locator('#password').fill('court12')
  await page.locator('#confirmPassword').fill('court12')
  await page.getByRole('button', { name: 'S’inscrire' }).click()
  await expect.poll(() => page.locator('#password-fault').textContent()).toBe('8 caractères au moins')
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  await expect.poll(() => page.locator('#confirmPassword').inputValue()).toBe('court12')
  for (const id of ['password', 'confirmPassword']) await page.locator(`#${id}`).fill('bonjour123')
  await page.getByRole('button', { name: 'S’inscrire' }).click()
  await expect.poll(() => page.locator('#password-fault').textContent()).toMatch(/fait d’un mot courant/)
  await expect.poll(() => page.getByText('fait d’un mot courant').count()).toBe(1)
  await page
    .getByRole('textbox', { name: 'Mot de passe', exact: false })
    .first()
    .fill('pili-pili et chikwangue')
  await page.getByRole('textbox', { name: 'Confirmer le mot de passe' }).fill('autre chose')
  await page.getByRole('button', { name: 'S’inscrire' }).click()
  await page.getByText('Les mots de passe ne correspondent pas').first().waitFor()
  await page.getByRole('textbox', { name: 'Confirmer le mot de passe' }).fill('pili-pili et chikwangue')
  await page.getByRole('button', { name: 'S’inscrire' }).click()
  await page.waitForURL(/\/auth\/login/)
  await page.getByText('Inscription réussie').waitFor()

  await page.goto(url + (await linkTo('nadege@exemple.cd', 1)))
  await page.getByRole('button', { name: 'Confirmer mon adresse' }).click()
  await page.getByText('Votre adresse est confirmée.').waitFor()
  await page.getByLabel('Email').fill('nadege@exemple.cd')
  await page.getByRole('textbox', { name: 'Mot de passe' }).fill('pili-pili et chikwangue')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.waitForURL(`${url}/dashboard`)
})

test('a forgotten password is replaced by the link, once, and the sign-in page returns automatically', async () => {
  const { email } = await newAccount('collector')
  const page = await open('/forgot-password')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Envoyer le lien' }).click()
  await page
    .getByText('Si un compte existe avec cet email, vous recevrez un lien de réinitialisation.')
    .waitFor()
  await page.waitForURL(/\/auth\/login/)
  // The message stays: two seconds were too short to read it.
  await page.getByText('Si un compte existe avec cet email').waitFor()

  const link = await linkTo(email, 1)
  await page.goto(url + link)
  await page.getByRole('textbox', { name: 'Nouveau mot de passe' }).fill('makayabu du dimanche')
  await page.getByRole('textbox', { name: 'Confirmer le mot de passe' }).fill('makayabu du dimanche')
  await page.getByRole('button', { name: 'Enregistrer le mot de passe' }).click()
  await page.getByText('Votre mot de passe est changé. Connectez-vous.').waitFor()
  for (const [typed, said] of [
    [password, /Email ou mot de passe incorrect/],
    ['makayabu du dimanche', null],
  ] as const) {
    await page.getByLabel('Email').fill(email)
    await page.getByRole('textbox', { name: 'Mot de passe' }).fill(typed)
    await page.getByRole('button', { name: 'Se connecter' }).click()
    if (said) await page.getByText(said).first().waitFor()
  }
  await page.waitForURL(`${url}/dashboard`)

  const again = await open(link)
  await again.getByRole('textbox', { name: 'Nouveau mot de passe' }).fill('encore un autre essai')
  await again.getByRole('textbox', { name: 'Confirmer le mot de passe' }).fill('encore un autre essai')
  await again.getByRole('button', { name: 'Enregistrer le mot de passe' }).click()
  await again.getByText(/Ce lien n’est plus valable/).waitFor()
})

test('a visitor registers and requests a link without a script', async () => {
  const page = await open('/auth/register', { scripts: false })
  await page.getByLabel('Nom complet').fill('Trésor Ngoy')
  await page.getByLabel('Email').fill('tresor@exemple.cd')
  for (const name of ['password', 'confirmPassword'])
    await page.locator(`#${name}`).fill('pondu et makemba frais')
  await page.getByRole('button', { name: 'S’inscrire' }).click()
  await page.waitForURL(/\/auth\/login/)
  await page.goto(`${url}/auth/verify-email`)
  await page.getByLabel('Email').fill('tresor@exemple.cd')
  await page.getByRole('button', { name: 'Envoyer le lien' }).click()
  await page.getByText(/vous recevrez un nouveau lien/).waitFor()
  expect((await mailsTo(dataDir, 'tresor@exemple.cd', 2)).length).toBe(2)
})
