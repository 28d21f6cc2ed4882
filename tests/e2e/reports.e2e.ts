import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { phone, story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { daysAgo } from '../support/market-days.ts'

const { db, url, open, newAccount } = await story()
const reader = await newAccount('user', { ageDays: 1 })
const product_id = await insertProduct(db, { name: 'Riz local', weight: '1 kg' })
const market_id = await insertMarket(db, { name: 'Virunga', location: 'Goma' })
for (let days = 40; days > 0; days -= 4) {
  const day = daysAgo(days)
  await insertPrice(db, { product_id, market_id, price_value: 2000 + 10 * days, day })
}

test('a bulletin is created with one tap, shows today’s figures, and is composed again', async () => {
  const page = await open('/rapports', { as: reader, viewport: phone })
  await page.getByText('Aucun rapport encore').waitFor()
  await page.getByRole('button', { name: 'Bulletin mensuel' }).click()
  await page.getByRole('heading', { name: 'Bulletin mensuel des prix' }).waitFor()
  await page.getByRole('rowheader', { name: 'Riz local, 1 kg' }).first().waitFor()
  expect(await faultsOf(page)).toEqual([])
  const title = page.getByLabel('Titre', { exact: false }).first()
  const to = page.getByLabel('Destinataires', { exact: false })
  const send = page.getByRole('button', { name: 'Envoyer maintenant' })
  const entry = (name: string) => page.getByRole('list').getByRole('button', { name })
  await title.fill('Bulletin de Goma')
  await to.fill('awa@exemple.cd\ngoma')
  // A report that is not saved is not sent.
  await expect.poll(() => send.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('goma : Adresse e-mail invalide').waitFor()
  await to.fill('awa@exemple.cd')
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByRole('heading', { name: 'Bulletin de Goma' }).waitFor()
  await expect.poll(() => send.isDisabled()).toBe(false)
  await page.getByText('pas encore confirmé').waitFor()
  await page.getByRole('button', { name: 'Envoyer maintenant' }).click()
  await page.getByText('en préparation').first().waitFor()
  // The list of reports follows its issues.
  await sql`update report_issue set state = 'skipped', reason = 'Aucun relevé.'`.execute(db)
  await entry('Bulletin de Goma').getByText('sauté').waitFor()

  // A second report is created; the address tells which one is open.
  await page.getByRole('button', { name: 'Nouveau rapport' }).click()
  await expect.poll(() => title.inputValue()).not.toBe('Bulletin de Goma')
  await entry('Bulletin de Goma').click()
  await expect.poll(() => title.inputValue()).toBe('Bulletin de Goma')
  await page.reload()
  await expect.poll(() => title.inputValue()).toBe('Bulletin de Goma')

  // What is typed is not lost: not by leaving, and not by a change made elsewhere.
  await title.fill('Bulletin du Kivu')
  await entry('Nouveau').click()
  await page.getByRole('button', { name: 'Continuer la saisie' }).click()
  await sql`update report set schedule = null, next_at = null where title = 'Bulletin de Goma'`.execute(db)
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByRole('button', { name: 'Recharger' }).click()
  await expect.poll(() => page.getByLabel('Fréquence').inputValue()).toBe('')
  await expect.poll(() => title.inputValue()).toBe('Bulletin du Kivu')
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByRole('heading', { name: 'Bulletin du Kivu' }).waitFor()
  await page.goto(`${url}/rapports?report=2147483000`)
  await page.getByText('Ce rapport n’existe plus').waitFor()
})

test('the page of an issue is readable without an account or a script, and a recipient answers with one tap', async () => {
  const content = {
    title: 'Bulletin de Goma',
    lines: ['Établi le 26 novembre 2026'],
    sections: [
      {
        title: 'Les prix',
        definition: 'Le dernier prix.',
        unit: '',
        drawn: 'table',
        rows: [],
        rowsBehind: null,
        table: {
          columns: ['Produit', 'Prix'],
          words: 1,
          rows: [[{ text: 'Riz local' }, { text: '2 450 FC' }]],
        },
      },
    ],
  }
  await sql`
    with made as (
      insert into report (user_id, title, blocks) values (${reader.id}, 'Bulletin de Goma', '[]') returning id),
    asked as (
      insert into report_recipient (report_id, email, token, state) select id, 'awa@exemple.cd', 'jeton', 'waiting' from made)
    insert into report_issue (report_id, token, planned_at, audience, is_scheduled, state, content, made_at)
    select id, 'edition', now(), 'nobody', false, 'made', ${JSON.stringify(content)}, now() from made`.execute(
    db,
  )
  const page = await open('/bulletins/edition', { scripts: false })
  await page.getByRole('heading', { name: 'Bulletin de Goma', level: 1 }).waitFor()
  await page.getByRole('row', { name: 'Riz local' }).waitFor()
  await page.goto(`${url}/bulletins/reception/jeton`)
  await page.getByRole('button', { name: 'Ne pas le recevoir' }).click()
  await page.getByText('ne vous est plus envoyé').waitFor()
  await sql`update report_recipient set state = 'waiting' where token = 'jeton'`.execute(db)
  await page.goto(`${url}/bulletins/reception/jeton`)
  await page.getByRole('button', { name: 'Recevoir ce bulletin' }).click()
  await page.getByRole('button', { name: 'Ne plus le recevoir' }).click()
  await page.getByText('ne vous est plus envoyé').waitFor()
})
