import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { mostViews, savablePaths } from '#features/saved-views/saved-views.rules.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const newReader = async () => {
  const userId = await insertAccount(db, { roles: ['user'] })
  return { userId, client: await server.clientOf(userId) }
}
const view = { name: 'Riz à Goma', path: '/prices', search: 'search=riz&period=90' }
type View = { id: number; updatedAt: string }

describe('saved views', () => {
  test('are private: stored, listed by name, renamed and deleted, each time with a journal entry', async () => {
    const { client, userId } = await newReader()
    const { status, body } = await client.post('/api/views', view)
    expect([status, body]).toMatchObject([201, { ...view, message: 'Vue enregistrée' }])
    const { id } = body as View
    await client.post('/api/views', { name: 'Écarts', path: '/statistiques/comparaison' })
    expect((await client.get('/api/views')).body).toMatchObject({
      data: [{ name: 'Écarts', search: '' }, view],
    })
    expect((await client.post('/api/views', { ...view, name: 'RIZ A GOMA' })).status).toBe(409)
    expect((await client.put(`/api/views/${id}`, { name: 'Riz' })).body).toMatchObject({ id, name: 'Riz' })
    expect((await client.delete(`/api/views/${id}`)).status).toBe(200)
    expect((await client.get('/api/views')).body).toMatchObject({ data: [{ name: 'Écarts' }] })
    const entries = await db
      .selectFrom('audit_entry')
      .select('action')
      .where('entity', '=', 'views')
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['create', 'create', 'update', 'delete'])
  })

  test('of another user do not exist, and may have the same name', async () => {
    const [one, other] = [await newReader(), await newReader()]
    const { id } = (await one.client.post('/api/views', view)).body as View
    expect((await other.client.put(`/api/views/${id}`, { name: 'À moi' })).status).toBe(404)
    expect((await other.client.delete(`/api/views/${id}`)).status).toBe(404)
    expect((await other.client.get('/api/views')).body).toEqual({ data: [] })
    expect((await other.client.post('/api/views', view)).status).toBe(201)
    expect((await one.client.get('/api/views')).body).toMatchObject({ data: [{ id, name: view.name }] })
  })

  test('are fifty at most, even when two are saved at once', async () => {
    const { client } = await newReader()
    for (let i = 1; i < mostViews; i++) await client.post('/api/views', { ...view, name: `Vue ${i}` })
    const last = ['Avant-dernière', 'Dernière'].map((name) => client.post('/api/views', { ...view, name }))
    expect((await Promise.all(last)).map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test('exist for every page that offers to save one', async () => {
    const offering = globSync('src/**/*.page.tsx').filter((page) =>
      readFileSync(page, 'utf8').includes('<ViewsMenu />'),
    )
    expect(offering).toHaveLength(savablePaths.length)
    const { client } = await newReader()
    for (const path of savablePaths) {
      expect((await client.post('/api/views', { name: path, path })).status).toBe(201)
    }
  })

  test.each([
    ['name', { name: ' ' }],
    ['path', { path: '/users' }],
    ['path', { path: 'https://exemple.cd' }],
    ['search', { search: 'a b' }],
    ['search', { search: 'é' }],
    ['search', { search: 'a'.repeat(2001) }],
  ])('with a wrong %s are refused under it: %j', async (field, wrong) => {
    const { client } = await newReader()
    expect(await client.post('/api/views', { ...view, ...wrong })).toMatchObject({
      status: 400,
      body: { errors: [{ field }] },
    })
  })

  test('are part of the user’s exported data, and are deleted with the account', async () => {
    const { client, userId } = await newReader()
    await client.post('/api/views', view)
    expect((await client.get('/api/auth/me/export')).body).toMatchObject({ views: [view] })
    const { erasePerson } = await import('#features/users/closing/closing.sql.ts')
    await db.transaction().execute((tx) => erasePerson(tx, { userId, names: [], collectorNames: [] }))
    const left = await db.selectFrom('saved_view').select('id').where('user_id', '=', userId).execute()
    expect(left).toEqual([])
  })
})
