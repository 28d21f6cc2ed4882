import { expect, test } from 'vitest'
import { messages } from '#features/contact/contact.contract.ts'
import { messageTask } from '#features/contact/contact.jobs.ts'
import { dayMs } from '#shared/days.ts'
import { adminRights } from '../../../tests/support/accounts.ts'
import { firstAttempt } from '../../../tests/support/attempt.ts'
import { testCrud } from '../../../tests/support/crud.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db, visitor } = server

const written = { name: 'Awa Mbala', email: 'awa@exemple.cd', message: 'Bonjour,\nle prix du riz ?' }

testCrud(server, messages, {
  valid: (name) => ({ name, email: 'awa@exemple.cd', text: 'Bonjour' }),
  required: ['name', 'email', 'text'],
  invalid: [
    ['name', { name: 'é'.repeat(201) }],
    ['email', { email: 'pas une adresse' }],
    ['text', { text: 'x'.repeat(5001) }],
  ],
  changes: () => ({ isHandled: true }),
  rights: adminRights,
  unique: null,
})

test('a message is stored, mailed to the team with the sender as the reply address, and acknowledged to the sender', async () => {
  const answer = await visitor.post('/api/contact', { ...written, subject: 'Riz' })
  expect([answer.status, answer.body]).toEqual([
    201,
    { message: 'Votre message est envoyé. Nous vous répondrons par e-mail.' },
  ])
  const kept = await db.selectFrom('contact_message').selectAll().where('subject', '=', 'Riz').execute()
  expect(kept).toMatchObject([{ ...written, is_handled: false }])
  const mails = await db.selectFrom('outgoing_mail').selectAll().orderBy('id').execute()
  expect(mails.map(({ recipient, reply_to }) => [recipient, reply_to])).toEqual([
    ['equipe@exemple.cd', 'awa@exemple.cd'],
    ['awa@exemple.cd', null],
  ])
  expect(JSON.stringify(mails[1]?.content)).not.toContain('riz')
})

test('a long subject that is cut within an emoji is mailed', async () => {
  const subject = `${'a'.repeat(148)}😀${'b'.repeat(10)}`
  expect(
    (await visitor.post('/api/contact', { ...written, email: 'emoji@exemple.cd', subject })).status,
  ).toBe(201)
  const { content } = await db
    .selectFrom('outgoing_mail')
    .select('content')
    .where('reply_to', '=', 'emoji@exemple.cd')
    .executeTakeFirstOrThrow()
  expect(content).toMatchObject({ subject: `Contact\u00a0: ${'a'.repeat(148)}😀…` })
})

test('a message noted by the team is distinguished from one that its sender wrote', async () => {
  const admin = await server.as('admin')
  const noted = { name: 'Awa Mbala', email: 'au-telephone@exemple.cd', text: 'Elle rappellera.' }
  expect((await admin.post('/api/messages', { ...noted, isNoted: false })).body).toMatchObject({
    isNoted: true,
  })
  await visitor.post('/api/contact', { ...written, email: 'elle-meme@exemple.cd', isNoted: true })
  const { body } = await admin.get('/api/messages?search=elle-meme')
  expect(body).toMatchObject({ data: [{ isNoted: false }] })
})

test('a message written by a visitor cannot be edited', async () => {
  await visitor.post('/api/contact', { ...written, email: 'intact@exemple.cd' })
  const admin = await server.as('admin')
  const { id } = await db
    .selectFrom('contact_message')
    .select('id')
    .where('email', '=', 'intact@exemple.cd')
    .executeTakeFirstOrThrow()
  const rewritten = { name: 'Autre', email: 'autre@exemple.cd', subject: 'Autre', text: 'Autre chose' }
  const { body } = await admin.put(`/api/messages/${id}`, { ...rewritten, isHandled: true })
  expect(body).toMatchObject({ name: written.name, text: written.message, subject: null, isHandled: true })
})

test('a message is deleted after a year, and its text is deleted from the journal too', async () => {
  const admin = await server.as('admin')
  const sentBy = async (email: string) => {
    await visitor.post('/api/contact', { ...written, email })
    const { id } = await db
      .selectFrom('contact_message')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await admin.put(`/api/messages/${id}`, { isHandled: true })
    return id
  }
  const [old, deleted, recent] = [
    await sentBy('ancien@exemple.cd'),
    await sentBy('efface@exemple.cd'),
    await sentBy('recent@exemple.cd'),
  ]
  await db
    .updateTable('contact_message')
    .set({ created_at: new Date(Date.now() - 366 * dayMs) })
    .where('id', '=', old)
    .execute()
  await admin.delete(`/api/messages/${deleted}`)
  await messageTask(db).run({}, firstAttempt(db))
  const kept = await db
    .selectFrom('contact_message')
    .select('id')
    .where('id', 'in', [old, deleted, recent])
    .execute()
  expect(kept).toEqual([{ id: recent }])
  const journal = async (id: number) => (await admin.get(`/api/journal?entity=messages&entityId=${id}`)).text
  expect(await journal(recent)).toContain('recent@exemple.cd')
  for (const id of [old, deleted]) expect(await journal(id)).not.toMatch(/exemple\.cd|Awa|riz/)
  expect(await journal(old)).toContain('"expire"')
})

test('a message with the hidden field filled in is thanked for, but not stored or sent', async () => {
  const count = async () => (await db.selectFrom('contact_message').select('id').execute()).length
  const before = await count()
  const answer = await visitor.post('/api/contact', { ...written, website: 'https://spam.example' })
  expect(answer.status).toBe(201)
  expect(await count()).toBe(before)
})

test('beyond five messages an hour with one sender, all are stored and mailed to the team, but not acknowledged', async () => {
  const email = 'autre@exemple.cd'
  for (let sent = 0; sent < 6; sent++) {
    expect((await visitor.post('/api/contact', { ...written, email })).status).toBe(201)
  }
  const kept = await db.selectFrom('contact_message').select('id').where('email', '=', email).execute()
  expect(kept).toHaveLength(6)
  const mails = await db.selectFrom('outgoing_mail').select(['recipient', 'reply_to']).execute()
  expect(mails.filter(({ reply_to }) => reply_to === email)).toHaveLength(6)
  expect(mails.filter(({ recipient }) => recipient === email)).toHaveLength(5)
})

test('the form works without a script: missing fields are reported, and a sent message leads to the thanks', async () => {
  const post = (fields: Record<string, string>) =>
    visitor.send('/contact', { method: 'POST', body: new URLSearchParams(fields) })
  expect((await post({ name: 'Awa' })).status).toBe(400)
  const sent = await post({ ...written, email: 'sans-script@exemple.cd', subject: '', website: '' })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/contact?envoye=1'])
})

test.each(['é\n', '稲\n', '😀'])(
  'a message of 5 000 characters that the browser accepts is stored whole (%j)',
  async (part) => {
    const message = part.repeat(5000 / part.length)
    // Browsers count a line break as one character, and send it as two.
    const typed = { ...written, email: 'long@exemple.cd', message: message.replaceAll('\n', '\r\n') }
    await db.deleteFrom('contact_message').where('email', '=', typed.email).execute()
    const sent = await visitor.send('/contact', { method: 'POST', body: new URLSearchParams(typed) })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/contact?envoye=1'])
    const kept = db.selectFrom('contact_message').select('message').where('email', '=', typed.email)
    expect((await kept.executeTakeFirstOrThrow()).message).toBe(message.trim())
  },
)

test('an address that sends too many messages is asked to wait', async () => {
  let answer = await visitor.post('/api/contact', { ...written, website: 'x' })
  for (let sent = 1; sent < 31 && answer.status === 201; sent++) {
    answer = await visitor.post('/api/contact', { ...written, website: 'x' })
  }
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
})
