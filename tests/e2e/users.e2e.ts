import { expect, test } from 'vitest'
import { notified, story } from '../support/browser.ts'
import { insertMarket } from '../support/catalogue.ts'

const { db, open, newAccount } = await story()
const admin = await newAccount('admin', { name: 'Aimée Mbuyi' })

test('a user is created with a role, found, suspended and deleted', async () => {
  const page = await open('/users', { as: admin })
  await page.getByRole('heading', { name: 'Gestion des Utilisateurs', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Créer un utilisateur' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer un utilisateur' })
  await form.getByLabel('Nom').fill('Sifa Kahindo')
  await form.getByLabel('E-mail').fill('sifa@exemple.cd')
  await form.getByRole('button', { name: 'Créer', exact: true }).click()
  await form.getByText('Ce champ est obligatoire').waitFor()
  await form.getByRole('textbox', { name: 'Mot de passe' }).fill('une phrase assez longue')
  await form.getByRole('checkbox', { name: /^enterprise/ }).check()
  await form.getByRole('button', { name: 'Créer', exact: true }).click()
  await notified(page, 'Utilisateur créé avec succès')
  await form.waitFor({ state: 'hidden' })

  await page.getByRole('searchbox').fill('SIFA@')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  const row = page.getByRole('row', { name: /Sifa Kahindo/ })
  await expect.poll(() => row.innerText()).toMatch(/enterprise\s+Actif/)
  await row.getByRole('button', { name: 'Voir « Sifa Kahindo »' }).click()
  const details = page.getByRole('dialog', { name: 'Sifa Kahindo' })
  await expect.poll(() => details.innerText()).toMatch(/LOCAL[\s\S]*Non/)
  await details.getByRole('button', { name: 'Modifier' }).click()
  const edit = page.getByRole('dialog', { name: 'Modifier l’utilisateur « Sifa Kahindo »' })
  await expect.poll(() => edit.getByPlaceholder('Laisser vide pour ne pas changer').inputValue()).toBe('')
  await edit.getByLabel('Statut').selectOption('SUSPENDED')
  await edit.getByRole('button', { name: 'Enregistrer' }).click()
  await notified(page, 'Utilisateur mis à jour avec succès')
  await expect.poll(() => row.innerText()).toMatch(/Suspendu/)

  await row.getByRole('button', { name: 'Supprimer « Sifa Kahindo »' }).click()
  await page.getByText('Êtes-vous sûr de vouloir supprimer l’utilisateur « Sifa Kahindo » ?').waitFor()
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click()
  await notified(page, 'Utilisateur supprimé avec succès')
  await page.getByText('Aucun utilisateur trouvé').waitFor()
})

test('actions that the server would refuse are not offered: on oneself, on super administrators, on one’s own role', async () => {
  const chief = await newAccount('super admin', { name: 'Zacharie Chef' })
  const other = await newAccount('admin', { name: 'Yolande Pair' })
  const secret = Buffer.alloc(20)
  const accounts = [admin.id, chief.id, other.id]
  await db
    .insertInto('second_factor')
    .values(accounts.map((user_id) => ({ user_id, secret, confirmed_at: new Date() })))
    .execute()
  const page = await open('/users?limit=50', { as: admin })
  await page.getByRole('button', { name: `Modifier « ${admin.name} »` }).waitFor()
  const factorOff = 'Désactiver la vérification en deux étapes'
  await page.getByRole('button', { name: `${factorOff} de « ${other.name} »` }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: factorOff }).count()).toBe(1)
  await expect.poll(() => page.getByRole('button', { name: `Supprimer « ${admin.name} »` }).count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: `Modifier « ${chief.name} »` }).count()).toBe(0)
  await page.goto(page.url().replace(/users.*/, 'roles?tab=roles'))
  await page.getByRole('button', { name: 'Modifier « agent »' }).waitFor()
  for (const name of ['admin', 'super admin']) {
    await expect.poll(() => page.getByRole('button', { name: `Modifier « ${name} »` }).count()).toBe(0)
  }
  await expect.poll(() => page.getByRole('button', { name: /^Supprimer/ }).count()).toBe(0)
})

test('a role is composed from permissions by area, the default tab', async () => {
  const page = await open('/roles', { as: admin })
  await page.getByRole('heading', { name: 'Permissions', level: 1 }).waitFor()
  await page.getByRole('tab', { name: 'Rôles' }).click()
  await page.getByRole('button', { name: 'Créer un rôle' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer un rôle' })
  await form.getByLabel('Nom').fill('Relecteur')
  await form.getByRole('checkbox', { name: /prices\.read/ }).check()
  await form.getByRole('checkbox', { name: /statistics\.read/ }).check()
  await expect.poll(() => form.getByRole('checkbox', { name: /superadmins\.manage/ }).isDisabled()).toBe(true)
  await form.getByRole('button', { name: 'Créer', exact: true }).click()
  await notified(page, 'Rôle créé avec succès')
  await expect.poll(() => page.getByRole('row', { name: /Relecteur/ }).innerText()).toMatch(/2/)
})

test('an agent is assigned to a market found among hundreds, and the details show it', async () => {
  const agent = await newAccount('agent', { name: 'Grâce Mbombo' })
  const others = Array.from({ length: 250 }, (_, n) => ({ name: `Marché ${n}`, location: 'Kinshasa' }))
  await db.insertInto('market').values(others).execute()
  const id = await insertMarket(db, { name: 'Marché Virunga', location: 'Goma' })
  const page = await open('/agents', { as: admin })
  await page.getByRole('button', { name: `Modifier « ${agent.name} »` }).click()
  const form = page.getByRole('dialog')
  const market = form.getByRole('combobox', { name: 'Ajouter un marché' })
  for (const [letters, name] of [
    ['virunga', 'Marché Virunga'],
    ['249', 'Marché 249'],
  ] as const) {
    await market.fill(letters)
    await page.getByRole('option', { name }).click()
  }
  await form.getByRole('button', { name: /^Retirer Marché 249/ }).click()
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await notified(page, 'Agent mis à jour avec succès')
  await page.getByRole('button', { name: `Voir « ${agent.name} »` }).click()
  const details = page.getByRole('dialog', { name: agent.name })
  await expect.poll(() => details.innerText()).toMatch(/Silencieux[\s\S]*Marché Virunga \(Goma\)/)
  expect(await db.selectFrom('agent_market').select('market_id').execute()).toEqual([{ market_id: id }])
})

test('a market that another user assigned meanwhile is shown once reloaded, and is kept', async () => {
  const agent = await newAccount('agent', { name: 'Espérance Kavira' })
  const market_id = await insertMarket(db, { name: 'Marché Kituku', location: 'Goma' })
  const page = await open('/agents', { as: admin })
  await page.getByRole('button', { name: `Modifier « ${agent.name} »` }).click()
  await db.insertInto('agent_market').values({ market_id, user_id: agent.id }).execute()
  await db.updateTable('app_user').set({ location: 'Goma' }).where('id', '=', agent.id).execute()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nom').fill('Espérance K.')
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await form.getByRole('button', { name: 'Recharger' }).click()
  await form.getByRole('button', { name: 'Retirer Marché Kituku, Goma' }).waitFor()
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await notified(page, 'Agent mis à jour avec succès')
  const assigned = db.selectFrom('agent_market').select('market_id').where('user_id', '=', agent.id)
  expect(await assigned.execute()).toEqual([{ market_id }])
})

test('a planned visit that is changed stays that of its agent, who is suspended and in no list of agents', async () => {
  const [other, own] = [await newAccount('agent'), await newAccount('agent', { name: 'Dieudonné Ilunga' })]
  const market_id = await insertMarket(db, { name: 'Marché Kadutu', location: 'Bukavu' })
  await db.insertInto('agent_market').values({ market_id, user_id: other.id }).execute()
  await db.insertInto('planned_visit').values({ market_id, user_id: own.id, weekday: 1 }).execute()
  await db.updateTable('app_user').set({ status: 'SUSPENDED' }).where('id', '=', own.id).execute()
  const page = await open('/visites', { as: admin })
  await page.getByRole('button', { name: 'Changer la visite de Dieudonné Ilunga à Marché Kadutu' }).click()
  await page.getByRole('combobox', { name: 'Rythme' }).selectOption({ label: 'Chaque mardi' })
  await page.getByRole('button', { name: 'Changer', exact: true }).click()
  await notified(page, 'Visite changée')
  const planned = db
    .selectFrom('planned_visit')
    .select(['user_id', 'weekday'])
    .where('market_id', '=', market_id)
  expect(await planned.execute()).toEqual([{ user_id: own.id, weekday: 2 }])
})

test('a closed account is listed, and cannot be edited', async () => {
  const { id } = await newAccount('user', { name: 'Compte fermé' })
  await db
    .updateTable('app_user')
    .set({ email: `ferme-${id}@compte.invalid` })
    .where('id', '=', id)
    .execute()
  const page = await open('/users', { as: admin })
  const line = page.getByRole('row').filter({ hasText: `ferme-${id}` })
  await line.waitFor()
  await expect.poll(() => line.getByRole('button', { name: /^(Modifier|Supprimer)/ }).count()).toBe(0)
})
