import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { AppError } from '#server/errors.ts'
import { createAdmission } from '#server/http/overload.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { deviceOf } from '#shared/device.ts'
import { insertPrice } from '../../../tests/support/catalogue.ts'
import { picture } from '../../../tests/support/pictures.ts'
import { type Client, client, insertAccount, listenOn, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const password = 'un mot de passe assez long'
const passwordHash = await hashPassword(password)

function avatarForm(bytes: Buffer): FormData {
  const form = new FormData()
  form.set('avatar', new File([new Uint8Array(bytes)], 'moi.png', { type: 'image/png' }))
  return form
}

let people = 0
async function person(role = 'user', name = 'Une Personne') {
  people += 1
  const email = `compte-propre-${people}@exemple.cd`
  const id = await insertAccount(db, { roles: [role], email, name, passwordHash, isVerified: false })
  return { id, email, client: await server.clientOf(id) }
}

describe('a user’s own account', () => {
  test('accepts another name and place, and ignores fields that users may not set', async () => {
    const { id, client, email } = await person()
    const answer = await client.put('/api/auth/me', {
      name: '  Nouveau Nom ',
      location: 'Goma',
      status: 'BANNED',
      roleIds: [1],
      user_roles: [{ role_id: 1 }],
      email_verified: true,
      permissions: ['superadmins.manage'],
      id: 1,
    })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        user: {
          id,
          name: 'Nouveau Nom',
          location: 'Goma',
          email,
          status: 'ACTIVE',
          roles: ['user'],
          email_verified: false,
        },
        message: 'Profil mis à jour avec succès',
      },
    })
    expect((await server.visitor.put('/api/auth/me', { name: 'X' })).status).toBe(401)
  })

  test('changes its address with the password only, and must confirm the new one', async () => {
    const { id, client } = await person()
    const other = await person()
    await db.updateTable('app_user').set({ email_verified: true }).where('id', '=', id).execute()
    for (const currentPassword of [undefined, 'faux']) {
      expect(await client.put('/api/auth/me', { email: 'autre@exemple.cd', currentPassword })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'currentPassword' }] },
      })
    }
    const taken = await client.put('/api/auth/me', {
      email: other.email.toUpperCase(),
      currentPassword: password,
    })
    expect(taken).toMatchObject({ status: 409, body: { errors: [{ field: 'email' }] } })
    const changed = await client.put('/api/auth/me', { email: 'autre@exemple.cd', currentPassword: password })
    expect(changed.body).toMatchObject({ user: { email: 'autre@exemple.cd', email_verified: false } })
  })

  test('sends a picture that is decoded before the request takes one of the few places of sign-in', async () => {
    const { id } = await person()
    const full = { run: () => Promise.reject(new AppError('unavailable', 'Complet.')), admits: () => true }
    const { url } = await listenOn(server, { admission: { ...createAdmission(), gateOf: () => full } })
    const busy = client(url, (await server.clientOf(id)).token, id)
    expect(await busy.put('/api/auth/me', avatarForm(Buffer.from('Bonjour')))).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'avatar' }] },
    })
    expect((await busy.put('/api/auth/me', avatarForm(await picture().png().toBuffer()))).status).toBe(503)
  })

  test('removes its picture, or is closed, even while the file cannot be removed', async () => {
    const background = ['#111', '#222']
    for (const remove of [
      (client: Client) => client.put('/api/auth/me', { avatar: null }),
      (client: Client) => client.post('/api/auth/me/close', { currentPassword: password }),
    ]) {
      const { client } = await person()
      const sent = avatarForm(await picture(40, 20, background.pop()).png().toBuffer())
      const { avatar_url } = Object((await client.put('/api/auth/me', sent)).body).user
      const name = avatar_url.split('/').at(-1)
      const file = join(server.dataDir, 'uploads', name.slice(0, 2), name)
      // A folder cannot be removed as a file.
      rmSync(file)
      mkdirSync(file)
      expect((await remove(client)).status).toBe(200)
      const { rows } = await server.pool.query(`select from job where payload->>'hash' = $1`, [
        name.slice(0, -5),
      ])
      expect(rows).toHaveLength(1)
    }
  })

  test('may try only a few other addresses in an hour, and learns of few whether they have an account', async () => {
    const { client } = await person()
    const other = await person()
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) {
      const email = n % 2 ? `neuve-${n}@exemple.cd` : other.email
      statuses.push((await client.put('/api/auth/me', { email, currentPassword: password })).status)
    }
    expect(statuses).toEqual([409, 200, 409, 200, 409, 429])
  })

  test('lists its sessions and ends one of them, but none of another user', async () => {
    const { id, client } = await person()
    const elsewhere = await server.clientOf(id)
    const { body } = await client.get('/api/auth/sessions')
    const { data } = body as { data: { id: number; isCurrent: boolean }[] }
    expect(data.map(({ isCurrent }) => isCurrent)).toEqual([false, true])
    const [other] = data
    const stranger = (await person()).client
    const path = `/api/auth/sessions/${other?.id}`
    const refusals = [await stranger.delete(path), await stranger.delete('/api/auth/sessions/2147483000')]
    expect(refusals.map(({ status }) => status)).toEqual([404, 404])
    expect((await client.delete(path)).status).toBe(200)
    expect((await elsewhere.get('/api/auth/me')).status).toBe(401)
    expect((await client.get('/api/auth/me')).status).toBe(200)
    expect((await client.delete(path)).status).toBe(404)
  })

  test('exports all its data as JSON, without the password and without data of others', async () => {
    const { id, client, email } = await person('agent')
    const stranger = await person()
    const price = await insertPrice(db)
    await db.updateTable('price').set({ written_by: id }).where('id', '=', price).execute()
    const answer = await client.get('/api/auth/me/export')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="mes-donnees-ntalo.json"')
    expect(answer.body).toMatchObject({ account: { id, email }, roles: ['agent'], prices: [{ id: price }] })
    expect(answer.text).not.toContain('argon2')
    expect(answer.text).not.toContain(stranger.email)
  })

  test('exports the actions on it and from its address, but not who did them', async () => {
    const { id, client, email } = await person()
    await db.updateTable('app_user').set({ email_verified: true }).where('id', '=', id).execute()
    const admin = await server.as('admin')
    await admin.put(`/api/users/${id}`, { location: 'Boma' })
    await server.visitor.post('/api/contact', { name: 'Moi', email: email.toUpperCase(), message: 'Bonjour' })
    const { body } = await client.get('/api/auth/me/export')
    expect(body).toMatchObject({
      messages: [{ message: 'Bonjour' }],
      changesByOthers: [{ action: 'update', after: { location: 'Boma' } }],
      secondFactor: null,
      views: [],
    })
    const [change] = (body as { changesByOthers: object[] }).changesByOthers
    expect(Object.keys(change ?? {}).sort()).toEqual(['action', 'after', 'at', 'before'])
  })

  test('exports thousands of prices completely', async () => {
    const { id, client } = await person('agent')
    const price = await insertPrice(db)
    await sql`
      insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on, written_by)
      select product_id, market_id, n, 'Moi', collected_at, observed_on, ${id}
        from price, generate_series(1, 1500) n where id = ${price}`.execute(db)
    const { body } = await client.get('/api/auth/me/export')
    const values = (body as { prices: { price_value: number }[] }).prices.map((each) => each.price_value)
    expect(values.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1500 }, (_, n) => n + 1))
  })

  test('exports rows of every table that names its owner, or a reason not to is listed here', async () => {
    const { client } = await person()
    const given: Record<string, string> = {
      account_link: 'links',
      agent_market: 'markets',
      alert_event: 'alertEvents',
      alert_rule: 'alerts',
      api_key: 'keys',
      audit_entry: 'journal',
      billing_details: 'billing',
      channel_address: 'channels',
      collection_entry: 'collection',
      follow: 'follows',
      import: 'imports',
      invoice: 'invoices',
      made_report: 'reports',
      notification_choice: 'notifications',
      outgoing_message: 'channelMessages',
      payment: 'payments',
      planned_visit: 'plannedVisits',
      payment_link: 'paymentLinks',
      price: 'prices',
      price_photo: 'photos',
      price_review: 'reviews',
      report: 'bulletins',
      saved_view: 'views',
      second_factor: 'secondFactor',
      seat: 'seats',
      session: 'sessions',
      share: 'shares',
      subscription: 'subscriptions',
      transfer_order: 'transfers',
      user_role: 'roles',
      webhook_endpoint: 'webhooks',
    }
    const notGiven: Record<string, string> = {
      api_usage: 'how much of a quota is spent at this minute',
      free_trial: 'a hash of the address',
      idempotent_request: 'answers that were given already, forgotten after some days',
      known_device: 'hashes of cookies, of which the sessions say more',
      quota_warning: 'which mails about quotas were sent',
      report_refusal: 'hashes of the addresses of others',
      recovery_code: 'hashes that open the account',
      unsubscribe_link: 'hashes of links in mails',
    }
    // Tables with a foreign key to an account, and columns that name one without a key.
    const { rows } = await sql<{ name: string }>`
      select distinct conrelid::regclass::text as name from pg_constraint
       where contype = 'f' and confrelid = 'app_user'::regclass
      union
      select table_name from information_schema.columns
       where table_schema = 'public' and column_name in ('user_id', 'author_id', 'actor_id', 'written_by')
      order by name`.execute(db)
    expect(rows.map(({ name }) => name)).toEqual([...Object.keys(given), ...Object.keys(notGiven)].sort())
    const { body } = await client.get('/api/auth/me/export')
    const found = ['account', 'changesByOthers', 'messages']
    expect(Object.keys(Object(body)).sort()).toEqual([...Object.values(given), ...found].sort())
  })
})

test('a browser is named from its user agent', () => {
  const agent =
    'Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36'
  expect(deviceOf(agent)).toBe('Chrome sur Android')
  expect(deviceOf('curl/8.0')).toBe('Appareil inconnu')
  expect(deviceOf(null)).toBe('Appareil inconnu')
})
