import { afterAll, expect, test } from 'vitest'
import { createGoogle } from '#features/auth/google/google.gateway.ts'
import { openidClient, openidServer } from '../../../tests/support/openid-server.ts'
import { noise, picture } from '../../../tests/support/pictures.ts'
import { insertAccount, testDefaults, testServer } from '../../../tests/support/server.ts'

const provider = await openidServer()
afterAll(provider.close)
const google = createGoogle({
  issuer: provider.url,
  ...openidClient,
  log: testDefaults.log,
  timeoutMs: 60_000,
})
const server = await testServer({ google, hasJobs: true })
const { db } = server

let people = 0

/** Signs in with Google, and waits until no picture is left to fetch. */
async function signIn(own: string | undefined, email = `image-${++people}@exemple.cd`) {
  provider.person = { sub: email, email, email_verified: true, ...(own !== undefined && { picture: own }) }
  const begun = await server.visitor.get('/api/auth/google/initiate')
  const there = await fetch(Object(begun.body).redirect_url, { redirect: 'manual' })
  const cookie = begun.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const { search } = new URL(there.headers.get('location') ?? '')
  const answer = await server.visitor.send(`/api/auth/google/callback${search}`, { headers: { cookie } })
  const jobs = () => db.selectFrom('job').select('id').where('task', '=', 'google picture').execute()
  await expect.poll(jobs).toEqual([])
  const user = await db.selectFrom('app_user').selectAll().where('email', '=', email).executeTakeFirst()
  return { status: answer.status, avatar: user?.avatar_url ?? null, id: user?.id ?? 0 }
}

test('the picture of a Google account becomes that of the account at the first sign-in, redrawn', async () => {
  provider.picture = await picture(96, 96, '#0a0').png().toBuffer()
  const { status, avatar, id } = await signIn(`${provider.url}/picture?sz=96`)
  expect({ status, avatar }).toEqual({
    status: 200,
    avatar: expect.stringMatching(/^\/uploads\/[0-9a-f]{64}\.webp$/),
  })
  const shown = await fetch(server.url + avatar)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
  const me = await (await server.clientOf(id)).get('/api/auth/me')
  expect(me.body).toMatchObject({ user: { avatar } })
})

test('a picture that the user chose or removed here is not replaced', async () => {
  provider.picture = await picture(96, 96, '#00a').png().toBuffer()
  const email = 'choisie@exemple.cd'
  const id = await insertAccount(db, { roles: ['user'], email })
  const own = `/uploads/${'a'.repeat(64)}.webp`
  await db.updateTable('app_user').set({ avatar_url: own }).where('id', '=', id).execute()
  expect((await signIn(`${provider.url}/picture`, email)).avatar).toBe(own)
  await db.updateTable('app_user').set({ avatar_url: null }).where('id', '=', id).execute()
  expect((await signIn(`${provider.url}/picture`, email)).avatar).toBeNull()
})

test.each([
  ['elsewhere', 'http://169.254.169.254/picture'],
  ['at another port', `${provider.url.replace(/\d+$/, '9')}/picture`],
  ['under another protocol', `${provider.url.replace('http:', 'ftp:')}/picture`],
  ['in a file', 'file:///etc/passwd'],
  ['no address', 'picture'],
])('a picture that is %s is not requested, and the sign-in succeeds', async (_, address) => {
  expect(await signIn(address)).toMatchObject({ status: 200, avatar: null })
})

test('a sign-in succeeds when the picture is missing, invalid or too large', async () => {
  expect(await signIn(`${provider.url}/nulle-part`)).toMatchObject({ status: 200, avatar: null })
  provider.picture = Buffer.from('<svg/>')
  expect(await signIn(`${provider.url}/picture`)).toMatchObject({ status: 200, avatar: null })
  provider.picture = Buffer.concat([await noise(100, 100).png().toBuffer(), Buffer.alloc(6_000_000)])
  expect(await signIn(`${provider.url}/picture`)).toMatchObject({ status: 200, avatar: null })
})
