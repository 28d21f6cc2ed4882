import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { story } from '../support/browser.ts'
import { insertBrand } from '../support/catalogue.ts'

const { db, url, open, newAccount, followed } = await story()
await insertBrand(db, 'Bralima')
const bralima = await db.selectFrom('brand').select('id').executeTakeFirstOrThrow()

test.each([
  ['super admin', 'blue'],
  ['admin', 'red'],
  ['collector', 'green'],
])('a %s sees the buttons that write, and the role on a %s badge', async (role, colour) => {
  const page = await open('/brands', { as: role })
  await expect
    .poll(() => buttonsAbout(page))
    .toEqual(['Créer une marque', 'Modifier « Bralima »', 'Supprimer « Bralima »'])
  const badge = page.getByRole('button', { name: 'Compte de' }).getByText(role, { exact: true })
  expect(hue(await badge.evaluate((element) => getComputedStyle(element).color))).toBe(colour)
  await page.getByRole('link', { name: 'Bralima', exact: true }).click()
  await page.getByRole('button', { name: 'Modifier', exact: true }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Supprimer', exact: true }).count()).toBe(1)
})

test.each(['manager', 'agent'])(
  'a %s reads, and sees no button that the server would refuse',
  async (role) => {
    const page = await open('/brands', { as: role })
    await expect.poll(() => buttonsAbout(page)).toEqual([])
    await page.getByRole('link', { name: 'Détails de « Bralima »' }).click()
    await page.getByRole('heading', { name: 'Bralima', level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Modifier', exact: true }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Supprimer', exact: true }).count()).toBe(0)
  },
)

test('a subscriber in his trial reads the data', async () => {
  const page = await open('/brands', { as: await newAccount('user', { ageDays: 5 }) })
  await expect.poll(() => buttonsAbout(page)).toEqual([])
})

test('a subscriber without access is asked to choose a plan, in the list and on a brand’s page', async () => {
  const page = await open('/brands', { as: await newAccount('user', { ageDays: 40 }) })
  await page.getByText('Choisissez un plan pour consulter ces données.').waitFor()
  await page.getByRole('dialog', { name: 'Choisissez votre plan' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Bralima' }).count()).toBe(0)
  await page.goto(`${url}/products/brands/${bralima.id}`)
  await page.getByText('Choisissez un plan pour consulter ces données.').waitFor()
})

test('an empty list offers to create only to users who may', async () => {
  const page = await open('/brands?search=rien-de-tel', { as: 'manager' })
  await page.getByText('Aucune marque trouvée').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Créer une marque' }).count()).toBe(0)
})

test('a role without rights has in the menu only the links for everybody, and a protected page is refused', async () => {
  await db.insertInto('role').values({ name: 'stagiaire' }).execute()
  const page = await open('/brands', { as: 'stagiaire' })
  await page.getByText('Accès refusé').waitFor()
  const menu = page.getByRole('navigation', { name: 'Menu principal' })
  await menu.getByRole('link', { name: 'Tableau de bord' }).click()
  await menu.getByRole('link', { name: 'Abonnements' }).waitFor()
  await expect.poll(() => menu.getByRole('link', { name: 'Marques' }).count()).toBe(0)
})

test('a list that requires payment does not close the form over it, nor clear its fields', async () => {
  const page = await open('/dashboard', { as: 'collector' })
  await page.getByRole('heading', { name: /^Bonjour/ }).waitFor()
  const { promise: typed, resolve } = Promise.withResolvers<void>()
  const message = 'Choisissez un plan pour consulter ces données.'
  await page.route('**/api/brands?*', async (route) => {
    await typed
    await route.fulfill({ status: 402, json: { message, error: 'Accès refusé', errors: [] } })
  })
  await page.getByRole('link', { name: 'Marques' }).first().click()
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  const name = page.getByRole('dialog', { name: 'Créer une marque' }).getByLabel('Nom')
  await name.fill('Pas perdue')
  resolve()
  await page.getByText(message).waitFor()
  await expect.poll(() => name.inputValue()).toBe('Pas perdue')
})

test('a right removed meanwhile is refused with a message, and the form is not cleared', async () => {
  const clerk = await newAccount('collector')
  const page = await open('/brands', { as: clerk })
  // The list would otherwise find the right missing before the form does.
  await page.getByRole('link', { name: 'Bralima', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer une marque' })
  await form.getByLabel('Nom').fill('Interdite')
  await form.getByLabel('Pays').fill('RD Congo')
  await followed(clerk, () => db.deleteFrom('user_role').where('user_id', '=', clerk.id).execute())
  await page.keyboard.press('Enter')
  await form.getByRole('alert').getByText('403 • Vous n’avez pas le droit de faire cela.').waitFor()
  await expect.poll(() => form.getByLabel('Nom').inputValue()).toBe('Interdite')
})

/** Returns the names of the buttons about brands, once the list is loaded. */
async function buttonsAbout(page: Page): Promise<string[]> {
  await page.getByRole('link', { name: 'Bralima', exact: true }).waitFor()
  const buttons = page.getByRole('main').getByRole('button', { name: /Créer|Modifier|Supprimer/ })
  return Promise.all(
    (await buttons.all()).map(async (button) =>
      ((await button.getAttribute('aria-label')) ?? (await button.innerText())).replaceAll(/\s/g, ' '),
    ),
  )
}

/** Returns the largest component of a colour such as `rgb(23, 112, 60)`. */
function hue(colour: string): string | undefined {
  const parts = (colour.match(/\d+/g) ?? []).map(Number)
  return ['red', 'green', 'blue'][parts.indexOf(Math.max(...parts))]
}
