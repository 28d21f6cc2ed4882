import { expect, test } from 'vitest'
import { messages } from '#features/contact/contact.contract.ts'
import { adminRights } from '../../../tests/support/accounts.ts'
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
  changes: (name) => ({ name, isHandled: true }),
  rights: adminRights,
  unique: null,
})

test('a message is kept, mailed to the team with the sender to reply to, and acknowledged to him', async () => {
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

test('what fills in the hidden field is thanked, and nothing is kept or sent', async () => {
  const count = async () => (await db.selectFrom('contact_message').select('id').execute()).length
  const before = await count()
  const answer = await visitor.post('/api/contact', { ...written, website: 'https://spam.example' })
  expect(answer.status).toBe(201)
  expect(await count()).toBe(before)
})

test('an address that writes without end is asked to wait, and so is whoever names it', async () => {
  const send = () => visitor.post('/api/contact', { ...written, email: 'autre@exemple.cd' })
  for (let sent = 0; sent < 5; sent++) expect((await send()).status).toBe(201)
  const refused = await send()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('the form works without a script: what lacks is said, and what is sent leads to the thanks', async () => {
  const post = (fields: Record<string, string>) =>
    visitor.send('/contact', { method: 'POST', body: new URLSearchParams(fields) })
  expect((await post({ name: 'Awa' })).status).toBe(400)
  const sent = await post({ ...written, email: 'sans-script@exemple.cd', subject: '', website: '' })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/contact?envoye=1'])
})
