import { expect, test } from 'vitest'
import { notified, story } from '../support/browser.ts'

const { db, open, newAccount } = await story()

test('an ambiguous rate is refused, the reading of a separator is shown, and an unusual rate asks for confirmation', async () => {
  await db.insertInto('exchange_rate').values({ day: '2026-01-05', cdf_per_usd: 2334.77 }).execute()
  const page = await open('/taux', { as: await newAccount('admin') })
  await page
    .getByRole('button', { name: /^Ajouter/ })
    .first()
    .click()
  const form = page.getByRole('dialog')
  const rate = form.getByLabel('Francs pour un dollar')
  const add = form.getByRole('button', { name: 'Ajouter', exact: true })
  await form.getByLabel('Jour').fill('2026-01-06')
  await rate.pressSequentially('2.334')
  const ambiguity = form.getByText('écrivez 2\u202f334, ou 2,3340')
  await ambiguity.waitFor()
  await add.click()
  await expect.poll(() => rate.getAttribute('aria-invalid')).toBe('true')

  await rate.fill('')
  await rate.pressSequentially('2,8')
  await form.getByText('Lu\u00a0: 2,8 FC').waitFor()
  await add.click()
  const question = page.getByRole('alertdialog')
  await question.getByText('Vous avez saisi 2,8\u00a0FC').waitFor()
  await question.getByRole('button', { name: 'Corriger' }).click()
  await question.waitFor({ state: 'detached' })
  const stored = () => db.selectFrom('exchange_rate').select('cdf_per_usd as rate').orderBy('day').execute()
  expect(await stored()).toHaveLength(1)

  await rate.fill('')
  await rate.pressSequentially('2.350,5')
  await form.getByText('Lu\u00a0: 2\u202f350,5 FC').waitFor()
  await add.click()
  await notified(page, 'Taux de change créé avec succès')
  expect(await stored()).toEqual([{ rate: 2334.77 }, { rate: 2350.5 }])
})
