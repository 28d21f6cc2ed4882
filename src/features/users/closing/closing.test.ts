import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { linkJournal, verifyJournal } from '#features/journal/journal.jobs.ts'
import { closingTask } from '#features/users/closing/closing.jobs.ts'
import { eraseCollector, findLeaver } from '#features/users/closing/closing.sql.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { insertPayment } from '../../../../tests/support/accounts.ts'
import { firstAttempt } from '../../../../tests/support/attempt.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { insertPlan } from '../../../../tests/support/payments.ts'
import { type Client, insertAccount, testDefaults, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const password = 'un mot de passe assez long'
const passwordHash = await hashPassword(password)
const admin = await server.as('admin')

let people = 0
async function person(role = 'user', name = 'Une Personne') {
  people += 1
  const email = `part-${people}@exemple.cd`
  const id = await insertAccount(db, { roles: [role], email, name, passwordHash })
  return { id, email, client: await server.clientOf(id) }
}

const close = (client: Client) => client.post('/api/auth/me/close', { currentPassword: password })

/** Returns every column of the database that contains these letters, by a search of all tables. */
async function columnsHolding(letters: string): Promise<string[]> {
  const { rows } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'jsonb', 'json', 'character varying', 'ARRAY')`.execute(
    db,
  )
  const found: string[] = []
  for (const { table_name, column_name } of rows) {
    const held = await sql`select from ${sql.table(table_name)}
      where position(lower(${letters}) in lower(${sql.ref(column_name)}::text)) > 0 limit 1`.execute(db)
    if (held.rows.length > 0) found.push(`${table_name}.${column_name}`)
  }
  return found
}

const collectorOf = async (id: number) =>
  (await db.selectFrom('price').select('collector_name').where('id', '=', id).executeTakeFirstOrThrow())
    .collector_name

async function doJobs(): Promise<void> {
  const task = closingTask(db)
  const jobs = await db.deleteFrom('job').where('task', '=', task.name).returning('payload').execute()
  for (const { payload } of jobs) await task.run(payload, firstAttempt(db))
}

describe('an account that an administrator deletes', () => {
  test('leaves as little as one closed by its owner, and its prices without a name', async () => {
    const name = 'Mulumba Supprimé'
    const { id, client, email } = await person('agent', name)
    await client.put('/api/auth/me', { location: 'Bumba-la-Lointaine' })
    await server.visitor.post('/api/contact', { name, email, message: `De ${name}` })
    const price = await insertPrice(db, { collector_name: name })
    await db.updateTable('price').set({ written_by: id }).where('id', '=', price).execute()
    await admin.put(`/api/prices/${price}`, { priceValue: 78 })
    expect((await admin.delete(`/api/users/${id}`)).status).toBe(200)
    expect((await admin.get(`/api/users/${id}`)).status).toBe(404)
    expect((await client.get('/api/auth/me')).status).toBe(401)
    await doJobs()
    for (const word of [email, name, 'Bumba-la-Lointaine']) {
      expect(await columnsHolding(word), word).toEqual([])
    }
    expect(await collectorOf(price)).toBe('Collecteur anonyme')
    const { body } = await admin.get(`/api/journal?entity=users&entityId=${id}&action=delete`)
    expect(body).toMatchObject({ data: [{ entityId: id, before: { name: '(effacé)', email: '(effacé)' } }] })
  })

  test('is refused while there is a pro forma for it, which is counted', async () => {
    const { id } = await person('user', 'Cliente au Virement')
    await sql`insert into transfer_order (user_id, plan_id, billing_period, amount, currency)
              values (${id}, ${await insertPlan(db)}, 'MONTHLY', 10, 'USD')`.execute(db)
    expect(await admin.delete(`/api/users/${id}`)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('1 pro forma en dépend') },
    })
  })

  test('is closed at once when it has many prices, and deleted once a job has removed its name from the last ones', async () => {
    const { id } = await person('agent', 'Abondante')
    const price = await insertPrice(db, { collector_name: 'Abondante' })
    await db.updateTable('price').set({ written_by: id }).where('id', '=', price).execute()
    await sql`insert into price (product_id, market_id, price_value, currency, collector_name, collected_at, observed_on, written_by)
              select product_id, market_id, price_value, currency, collector_name, collected_at, observed_on, ${id}
                from price, generate_series(1, 2001) n where id = ${price}`.execute(db)
    expect((await admin.delete(`/api/agents/${id}`)).status).toBe(200)
    expect((await admin.get(`/api/users/${id}`)).body).toMatchObject({ name: 'Compte fermé', roleIds: [] })
    await doJobs()
    expect(await columnsHolding('Abondante')).toEqual([])
    expect((await admin.get(`/api/users/${id}`)).status).toBe(404)
  })
})

describe('closing an account', () => {
  test('requires the password, signs out, and leaves no trace of the person in any column', async () => {
    const name = 'Bwanga Inoubliable'
    const phone = '243810417417'
    const { id, client, email } = await person('agent', name)
    await admin.put(`/api/users/${id}`, { name: `${name} Jr`, location: 'Uvira-la-Belle' })
    await client.put('/api/auth/me', { location: 'Kindu-sur-Fleuve' })
    await client.post('/api/auth/logout')
    const again = await server.clientOf(id)
    const price = await insertPrice(db, { collector_name: name })
    await db.updateTable('price').set({ written_by: id }).where('id', '=', price).execute()
    await admin.put(`/api/prices/${price}`, { priceValue: 77 })
    await again.put('/api/billing-details', { name, email, address: 'Uvira-la-Belle' })
    const payment = await insertPayment(db, id)
    await admin.put(`/api/payments/${payment}/status`, { status: 'FAILED' })
    await sql`insert into deposit (id, payment_id, phone, operator, state)
              values (gen_random_uuid(), ${payment}, ${phone}, 'MPESA', 'failed')`.execute(db)
    await server.visitor.post('/api/contact', { name, email: email.toUpperCase(), message: `De ${name}` })
    await server.visitor.post('/api/auth/forgot-password', { email })
    const view = { name: `Vue de ${name}`, path: '/prices', search: `search=${name.split(' ')[0]}` }
    expect((await again.post('/api/views', view)).status).toBe(201)
    const gone = await admin.send('/api/prices', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'une-fois' },
      body: JSON.stringify({
        productId: await insertProduct(db),
        marketId: await insertMarket(db),
        priceValue: 5,
        collectorName: name,
      }),
    })
    expect(gone.status).toBe(201)
    const { id: deleted } = gone.body as { id: number }
    await db.updateTable('price').set({ written_by: id }).where('id', '=', deleted).execute()
    await again.put(`/api/prices/${deleted}`, { priceValue: 6 })
    await admin.delete(`/api/prices/${deleted}`)

    expect((await again.post('/api/auth/me/close', { currentPassword: 'faux' })).status).toBe(400)
    expect((await close(again)).status).toBe(200)
    expect((await again.get('/api/auth/me')).status).toBe(401)
    expect((await server.visitor.post('/api/auth/login', { email, password })).status).toBe(401)
    for (const word of [email, name, phone, 'Uvira-la-Belle', 'Kindu-sur-Fleuve']) {
      expect(await columnsHolding(word), word).toEqual([])
    }
    expect((await admin.get(`/api/users/${id}`)).body).toMatchObject({
      name: 'Compte fermé',
      status: 'INACTIVE',
    })
    const left = await db.selectFrom('price').selectAll().where('id', '=', price).executeTakeFirstOrThrow()
    expect(left).toMatchObject({ written_by: null, price_value: 77 })
  })

  test('leaves no address from which the person wrote or tried to sign in', async () => {
    const email = 'venue-de-loin@exemple.cd'
    const registered = { name: 'Venue', email, password }
    expect((await server.visitor.post('/api/auth/register', registered)).status).toBe(201)
    const { id } = await db
      .selectFrom('app_user')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await server.visitor.post('/api/auth/login', { email, password: 'faux' })
    expect((await close(await server.clientOf(id))).status).toBe(200)
    const { rows } = await sql`
      select from audit_entry where entity in ('users', 'session') and (user_id = ${id} or entity_id = ${id})
         and action <> 'close' and (address is not null or user_agent is not null)`.execute(db)
    expect(rows).toHaveLength(0)
  })

  test('removes a collector’s name from prices written for them, but not from texts that only resemble it', async () => {
    const name = 'Zéphyrin Relevé'
    const before = await insertPrice(db, { collector_name: name })
    await sql`update price set created_at = now() - interval '2 years' where id = ${before}`.execute(db)
    const leaving = await person('collector', name)
    const others = await insertPrice(db, { collector_name: name })
    await admin.put(`/api/prices/${others}`, { priceValue: 12 })
    const namesake = await person('collector', 'Deux Fois')
    await person('collector', 'Deux Fois')
    const theirs = await insertPrice(db, { collector_name: 'Deux Fois' })
    const reader = await person('user', 'PAM')
    const file = await insertPrice(db, { collector_name: 'PAM' })
    for (const { client } of [leaving, namesake, reader]) expect((await close(client)).status).toBe(200)
    expect(await Promise.all([before, others, theirs, file].map(collectorOf))).toEqual([
      name,
      'Collecteur anonyme',
      'Deux Fois',
      'PAM',
    ])
    const { body } = await admin.get(`/api/journal?entity=prices&entityId=${others}`)
    expect(body).toMatchObject({ data: [{ before: { collectorName: '(effacé)', priceValue: 1000 } }] })
  })

  test('makes many prices anonymous, one batch after the other', async () => {
    const { id } = await person('agent', 'Patiente')
    for (let n = 0; n < 5; n++) {
      const price = await insertPrice(db, { collector_name: 'Patiente' })
      await db.updateTable('price').set({ written_by: id }).where('id', '=', price).execute()
    }
    const leaver = await findLeaver(db, id)
    const parts = []
    for (let part = 0; part < 3; part++) parts.push(await eraseCollector(db, leaver, 2))
    expect(parts).toEqual([false, false, true])
    expect(await columnsHolding('Patiente')).toEqual(['app_user.name'])
  })

  test.each(['name', 'status', 'PAID', 'ACTIVE', 'Simba', 'country', '(effacé)"', 'admin'])(
    'of a user named %j changes nothing in the journal entries of others',
    async (name) => {
      const { body } = await admin.post('/api/brands', { name: `Simba ${people}`, country: name })
      await admin.put(`/api/brands/${(body as { id: number }).id}`, { country: 'Simba' })
      const { client } = await person('user')
      expect((await client.put('/api/auth/me', { name })).status).toBe(200)
      await linkJournal(db)
      const others = async () =>
        (
          await sql<{ entry: string }>`
            select audit_entry::text as entry from audit_entry
             where user_id = ${admin.userId} and entity = 'brands' order by id`.execute(db)
        ).rows
      const before = await others()
      expect((await close(client)).status).toBe(200)
      expect(await others()).toEqual(before)
      await verifyJournal(db, testDefaults.log)
      expect((await admin.get('/api/journal/check')).body).toMatchObject({ last: { fault: null } })
    },
  )

  test('is final: an administrator cannot give the account another address', async () => {
    const { id, client } = await person()
    expect((await close(client)).status).toBe(200)
    expect(
      await admin.put(`/api/users/${id}`, { email: 'autre@exemple.cd', status: 'ACTIVE' }),
    ).toMatchObject({
      status: 409,
      body: { message: 'Ce compte est fermé.' },
    })
  })

  test('cannot be prevented by an account with the address that a closed one gets', async () => {
    const email = 'Ferme-5@Compte.Invalid'
    const registered = await server.visitor.post('/api/auth/register', { name: 'Squatteur', email, password })
    expect(registered).toMatchObject({ status: 400, body: { errors: [{ field: 'email' }] } })
  })

  test('stays possible for the account whose future address was registered before that was refused', async () => {
    const [closed, one] = [await person(), await person()]
    expect((await close(closed.client)).status).toBe(200)
    const squatter = await insertAccount(db, { roles: ['user'], email: `ferme-${one.id}@Compte.invalid` })
    const migration = join(import.meta.dirname, '../../../../db/migrations/0063-closed-addresses.sql')
    await sql.raw(readFileSync(migration, 'utf8')).execute(db)
    const emailOf = async (id: number) => Object((await admin.get(`/api/users/${id}`)).body).email
    expect(await emailOf(squatter)).toMatch(/@adresse\.invalid$/)
    expect(await emailOf(closed.id)).toBe(`ferme-${closed.id}@compte.invalid`)
    expect((await close(one.client)).status).toBe(200)
  })

  test('is refused to the last super administrator', async () => {
    await db.updateTable('app_user').set({ status: 'INACTIVE' }).execute()
    const { client } = await person('super admin')
    expect((await close(client)).status).toBe(409)
    expect((await client.get('/api/auth/me')).status).toBe(200)
  })
})
