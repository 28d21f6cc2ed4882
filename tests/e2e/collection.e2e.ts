import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { phone, story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { beginVisitOf, doneOf, newPhone, sayNext, storedVisitOf } from '../support/field-visit.ts'
import { daysAgo } from '../support/market-days.ts'
import { noise } from '../support/pictures.ts'

const { db, url, open, newAccount } = await story()
const proxy = await startCuttingProxy(url, 7)
afterAll(() => proxy.close())

const market_id = await insertMarket(db, { name: 'Gambela' })
const goods = 12
for (let n = 0; n < goods; n++) {
  const product_id = await insertProduct(db, { name: `Produit ${String(n).padStart(2, '0')}` })
  await sql`insert into market_list (market_id, product_id) values (${market_id}, ${product_id})`.execute(db)
  for (let weeks = 1; weeks <= 3; weeks++) {
    await insertPrice(db, { product_id, market_id, price_value: 1000, day: daysAgo(7 * weeks) })
  }
}

async function storedOf(userId: number) {
  const { rows } = await sql<{ entries: number; products: number; prices: number; linked: number }>`
    select count(*)::integer as entries, count(distinct product_id)::integer as products,
           (select count(*)::integer from price where written_by = ${userId}) as prices,
           count(*) filter (where kind <> 'absent')::integer as linked
      from collection_entry where user_id = ${userId} and not is_replaced`.execute(db)
  return rows[0]
}

test('a visit without a network survives kills of the browser and a damaged database, and no entry is lost or doubled when half of the exchanges are cut', async () => {
  const agent = await newAccount('agent', { name: 'Paul Ngoy' })
  await sql`insert into agent_market (user_id, market_id) values (${agent.id}, ${market_id})`.execute(db)
  const own = await newPhone(proxy.url, agent)
  try {
    await beginVisitOf(own.page, 'Gambela')
    await own.setOffline(true)
    for (let place = 0; place < 5; place++) await sayNext(own.page, place)
    // Half a price is stored on the disk as a draft.
    await own.page.locator('.pad').getByRole('button', { name: '9', exact: true }).click()
    await expect.poll(() => storedVisitOf(own.page)).toMatchObject({ typed: '9' })
    await own.restart({ isOffline: true })
    await own.page.getByRole('button', { name: 'OK, 9' }).waitFor()
    await expect.poll(() => doneOf(own.page)).toBe(5)
    await own.page.getByRole('button', { name: 'Effacer un chiffre' }).click()
    for (let place = 5; place < 9; place++) await sayNext(own.page, place)
    expect(await storedOf(agent.id)).toMatchObject({ entries: 0 })
    // The browser discards the database; the entries are restored from their second copy, but the key is not.
    await own.restart({ isOffline: true, isDamaged: true })
    const isSignedOut = async () => (await own.page.getByLabel('Mot de passe').count()) > 0
    await expect
      .poll(async () => (await isSignedOut()) || (await own.page.locator('.count').count()) > 0)
      .toBe(true)
    await own.setOffline(false)
    if (await isSignedOut()) {
      await own.page.getByText('9 relevés attendent').waitFor()
      await own.page.getByLabel('Adresse e-mail').fill(agent.email)
      await own.page.getByLabel('Mot de passe').fill('safou et manioc 1960')
      await own.page.getByRole('button', { name: 'Se connecter' }).click()
      await own.page.getByRole('heading', { name: 'Choisissez le marché' }).waitFor()
    }
    proxy.cut(true)
    await own.page.locator('.status').click()
    const isReceived = async () => {
      const button = own.page.getByRole('button', { name: 'Envoyer maintenant' })
      if ((await button.count()) > 0) await button.click()
      return (await own.page.getByText('Tout est reçu').count()) > 0
    }
    await expect.poll(isReceived, { interval: 300 }).toBe(true)
    const { entries, products, prices, linked } = (await storedOf(agent.id)) ?? {}
    expect({ entries, products, prices }).toEqual({ entries: 9, products: 9, prices: linked })
  } finally {
    proxy.cut(false)
    await own.close()
  }
})

test('a product is priced in one tap, confirmed when doubtful, undone and corrected; the summary lists the differences', async () => {
  const agent = await newAccount('agent', { name: 'Aline Mbuyi' })
  const page = await open('/collecte', { as: agent, isNew: true, viewport: phone })
  await page.getByRole('button', { name: 'Gambela' }).click()
  const dock = page.locator('.dock')
  await dock.waitFor()
  // One product in ten hides its last price: this one does not.
  await page.locator('.goods button').filter({ hasText: '1 000' }).first().click()
  // A key pressed while the price is still being stored belongs to the next product.
  await page.evaluate(() => {
    document.querySelector<HTMLButtonElement>('.dock .main')?.click()
    document.querySelector<HTMLButtonElement>('.pad button')?.click()
  })
  await page.locator('[aria-current=step]', { hasText: 'brouillon 1' }).waitFor()
  await dock.getByRole('button', { name: 'Effacer un chiffre' }).click()
  await expect.poll(() => doneOf(page)).toBe(1)
  await dock.getByRole('button', { name: 'Annuler' }).click()
  await expect.poll(() => doneOf(page)).toBe(0)
  for (const digit of ['1', '00', '00']) await dock.getByRole('button', { name: digit, exact: true }).click()
  await dock.getByRole('button', { name: 'OK, 10' }).click()
  await dock.getByText('Dix fois le prix habituel.').waitFor()
  await dock.getByRole('button', { name: 'C’est 1' }).click()
  await expect.poll(() => doneOf(page)).toBe(1)
  await page.locator('.status').click()
  await page.getByRole('button', { name: 'Envoyer maintenant' }).click()
  await page.getByText('Tout est reçu. Rien').waitFor()
  expect(await storedOf(agent.id)).toMatchObject({ entries: 1, prices: 1 })
  // A received entry is corrected by another that replaces it.
  await page.getByRole('button', { name: 'Revenir' }).click()
  await dock.getByRole('button', { name: 'Annuler' }).click()
  for (const digit of '1010') await dock.getByRole('button', { name: digit, exact: true }).click()
  await dock.getByRole('button', { name: 'OK, 1' }).click()
  await page.getByRole('button', { name: 'Terminer la visite' }).click()
  await page.getByRole('heading', { name: `1 sur ${goods}, tout est gardé` }).waitFor()
  await page.getByText('11 produits ne sont pas relevés').waitFor()
  await page.getByRole('button', { name: 'Terminer la visite' }).click()
  await page.getByRole('heading', { name: 'Choisissez le marché' }).waitFor()
  const pricesOf = async () => {
    const { rows } = await sql<{ value: number }>`
      select price_value as value from price where written_by = ${agent.id}`.execute(db)
    return rows.map(({ value }) => value)
  }
  await expect.poll(pricesOf).toEqual([1010])
})

test('after an entry the focus stays at the product’s controls, which say the next one; a press that began before is not about it', async () => {
  const agent = await newAccount('agent')
  const page = await open('/collecte', { as: agent, isNew: true, viewport: phone })
  await page.getByRole('button', { name: 'Gambela' }).click()
  const dock = page.locator('.dock')
  const unchanged = dock.getByRole('button', { name: 'inchangé' })
  const isFocusWithin = () => dock.evaluate((place) => place.contains(document.activeElement))
  /** Selects a product without an entry that shows its last price. */
  const selectPriced = async () => {
    await page
      .locator('.goods button')
      .filter({ has: page.locator('.last', { hasText: '1 000' }) })
      .first()
      .click()
    await unchanged.waitFor()
  }
  await dock.waitFor()
  await selectPriced()
  const name = await dock.getByRole('status').innerText()
  await unchanged.press('Enter')
  await expect.poll(() => doneOf(page)).toBe(1)
  await expect.poll(isFocusWithin).toBe(true)
  await expect.poll(() => dock.getByRole('status').innerText()).not.toBe(name)
  await dock.getByRole('button', { name: 'Absent' }).press('Enter')
  await dock.getByRole('button', { name: 'Rupture' }).press('Enter')
  await expect.poll(() => doneOf(page)).toBe(2)
  await expect.poll(isFocusWithin).toBe(true)
  await selectPriced()
  await unchanged.hover()
  await page.mouse.down()
  await unchanged.evaluate((button: HTMLButtonElement) => button.click())
  await expect.poll(() => doneOf(page)).toBe(3)
  await page.mouse.up()
  await dock.getByRole('button', { name: '7', exact: true }).click()
  await dock.getByRole('button', { name: 'OK, 7' }).waitFor()
  await expect.poll(() => doneOf(page)).toBe(3)
})

test('a photo taken without a network survives a kill, is sent after its price, and is shown to reviewers', async () => {
  const agent = await newAccount('agent', { name: 'Paul Photo' })
  await sql`insert into agent_market (user_id, market_id) values (${agent.id}, ${market_id})`.execute(db)
  const own = await newPhone(proxy.url, agent)
  const photograph = async () => {
    const chooser = own.page.waitForEvent('filechooser')
    await own.page.getByRole('button', { name: 'Photo du prix' }).click()
    // Larger than the limit for sending, in bytes and in pixels.
    const buffer = await noise(200, 200).resize(1400, 1800).jpeg({ quality: 95 }).toBuffer()
    await (await chooser).setFiles({ name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer })
    await own.page.getByText('Photo ✓').waitFor()
  }
  try {
    await beginVisitOf(own.page, 'Gambela')
    await own.setOffline(true)
    // Products that no other collector prices: a quote beside another collector's is reviewed first.
    await own.page
      .locator('.goods button')
      .nth(goods - 2)
      .click()
    // Taken before the price.
    await photograph()
    await own.restart({ isOffline: true })
    await own.page.getByText('Photo ✓').waitFor()
    for (const digit of '1020') await own.page.getByRole('button', { name: digit, exact: true }).click()
    await own.page.getByRole('button', { name: 'OK, 1' }).click()
    await expect.poll(() => doneOf(own.page)).toBe(1)
    // Taken after the price.
    await sayNext(own.page, 1)
    await own.page.locator('.goods button').last().click()
    await photograph()
    await own.page.getByText('2 photos').waitFor()
    await own.page.locator('.status').click()
    await own.page.getByText('part après son prix').first().waitFor()
    await own.setOffline(false)
    proxy.cut(true)
    const isReceived = async () => {
      const button = own.page.getByRole('button', { name: 'Envoyer maintenant' })
      if ((await button.count()) > 0) await button.click()
      const isEmpty = (await own.page.getByText('Tout est reçu. Rien').count()) > 0
      return isEmpty && (await own.page.getByRole('heading', { name: 'Photos' }).count()) === 0
    }
    await expect.poll(isReceived, { interval: 300 }).toBe(true)
  } finally {
    proxy.cut(false)
    await own.close()
  }
  const { rows } = await sql<{ product_id: number; bytes: number }>`
    select product_id from price_photo join price on price.id = price_id where user_id = ${agent.id}`.execute(
    db,
  )
  expect(rows).toHaveLength(2)
  const page = await open(`/series/${rows[0]?.product_id}/${market_id}`, { as: 'manager' })
  const shown = page.getByRole('img', { name: 'Prix affiché au marché' })
  await expect
    .poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(500)
  await page.goto(`${url}/prices`)
  await page.getByRole('button', { name: 'Voir la photo du prix' }).first().click()
  await page.getByRole('dialog', { name: 'Photo du prix' }).getByAltText('Prix affiché au marché').waitFor()
})

test('without a network, a product from outside the list is chosen from the catalogue and joins the visit, also after a kill', async () => {
  const agent = await newAccount('agent', { name: 'Paul Autre' })
  await sql`insert into agent_market (user_id, market_id) values (${agent.id}, ${market_id})`.execute(db)
  const product_id = await insertProduct(db, { name: 'Thé de Mulungu' })
  const own = await newPhone(proxy.url, agent)
  try {
    const fetched = own.page.waitForResponse(/collection.catalogue/)
    await beginVisitOf(own.page, 'Gambela')
    await (await fetched).finished()
    await own.setOffline(true)
    await own.page.getByRole('button', { name: 'Ajouter un autre produit' }).click()
    await own.page.getByLabel('Un produit qui n’est pas dans la liste').fill('the mulu')
    await own.page.locator('.rows').getByRole('button', { name: 'Thé de Mulungu' }).click()
    await own.page.getByText('jamais relevé ici').waitFor()
    await expect.poll(() => storedVisitOf(own.page)).toMatchObject({ current: `${product_id}-0` })
    await own.restart({ isOffline: true })
    await own.page.getByText('jamais relevé ici').waitFor()
    await own.page.getByRole('button', { name: '$US' }).click()
    await own.page.getByRole('button', { name: '$US', pressed: true }).waitFor()
    for (const digit of '1020') await own.page.getByRole('button', { name: digit, exact: true }).click()
    await own.page.getByRole('button', { name: 'OK, 1' }).click()
    await expect.poll(() => doneOf(own.page)).toBe(1)
    await own.setOffline(false)
    await own.page.locator('.status').click()
    await own.page.getByRole('button', { name: 'Envoyer maintenant' }).click()
    await own.page.getByText('Tout est reçu. Rien').waitFor()
  } finally {
    await own.close()
  }
  const { rows } = await sql<{ value: number; currency: string }>`
    select price_value as value, currency from price where product_id = ${product_id}`.execute(db)
  expect(rows).toEqual([{ value: 1020, currency: 'USD' }])
})

test('the field tool is readable on every phone, and has no button smaller than a thumb', async () => {
  const agent = await newAccount('agent')
  const page = await open('/collecte', { isNew: true, viewport: phone })
  await page.getByLabel('Adresse e-mail').waitFor()
  const widths = [320, 360, 412]
  const small = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('button, input')]
        .filter((place) => {
          const { width, height } = place.getBoundingClientRect()
          return width < 44 || height < 44
        })
        .map((place) => place.textContent || place.id),
    )
  // With the text twice as large: returns the elements whose text overflows their box or the window.
  const cut = () =>
    page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
      const places = [...document.querySelectorAll('body *')]
      const cutOff = places.filter((place) => {
        if (place.matches('.hidden, progress') || place.scrollWidth <= place.clientWidth + 1) {
          return place.getBoundingClientRect().right > innerWidth + 0.5
        }
        return getComputedStyle(place).display !== 'inline'
      })
      return cutOff.map((place) => `${place.className} ${place.textContent}`.slice(0, 80))
    })
  const look = async () => {
    expect(await faultsOf(page, widths)).toEqual([])
    await page.setViewportSize(phone)
    expect(await small()).toEqual([])
    for (const width of widths) {
      await page.setViewportSize({ width, height: 740 })
      expect(await cut(), `${width} px`).toEqual([])
      expect(await small()).toEqual([])
      await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
    }
    await page.setViewportSize(phone)
  }
  await look()
  await page.getByLabel('Adresse e-mail').fill(agent.email)
  await page.getByLabel('Mot de passe').fill('safou et manioc 1960')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.getByRole('heading', { name: 'Choisissez le marché' }).waitFor()
  await page.getByRole('button', { name: 'Gambela' }).waitFor()
  await page.getByRole('button', { name: 'Changer d’agent' }).click()
  await page.getByText('Pour revenir, il faut le réseau').waitFor()
  await look()
  await page.getByRole('button', { name: 'Rester' }).click()
  await page.getByRole('button', { name: 'Gambela' }).click()
  await page.locator('.dock').waitFor()
  await look()
  for (const digit of '900000') {
    await page.locator('.pad').getByRole('button', { name: digit, exact: true }).click()
  }
  await page.getByRole('button', { name: 'OK, 900' }).click()
  await page.getByText('Ici, on paie').waitFor()
  await look()
  await page.getByRole('button', { name: 'Absent' }).click()
  await look()
  await page.getByRole('button', { name: 'Rupture' }).click()
  await page.locator('.pad').getByRole('button', { name: '7', exact: true }).click()
  await page.getByRole('button', { name: 'OK, 7' }).waitFor()
  await page.getByRole('button', { name: 'Terminer la visite' }).click()
  await page.getByText('1 prix tapé n’est pas enregistré').waitFor()
  await page.getByRole('button', { name: 'Terminer la visite' }).click()
  await page.getByRole('button', { name: 'Terminer sans ce prix' }).waitFor()
  await look()
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByRole('button', { name: 'Effacer un chiffre' }).click()
  await page.getByRole('button', { name: 'Terminer la visite' }).click()
  await page.getByRole('heading', { name: 'tout est gardé' }).waitFor()
  await look()
  await page.locator('.status').click()
  await page.getByRole('heading', { name: 'Mes envois' }).waitFor()
  await look()
})
