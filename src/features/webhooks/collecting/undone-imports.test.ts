import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { linkJournal } from '#features/journal/journal.jobs.ts'
import { collectMessages } from '#features/webhooks/collecting/collecting.jobs.ts'
import { insertEndpoint } from '#features/webhooks/webhooks.sql.ts'
import { newWebhookSecret } from '#server/webhooks/signature.ts'
import { checkedImport, move } from '../../../../tests/support/imports.ts'
import { wfpFile2023 } from '../../../../tests/support/price-files.ts'
import { testServer } from '../../../../tests/support/server.ts'

const { db, as } = await testServer({ hasJobs: true })
const admin = await as('admin')

test('an undone import sends the deleted prices, and those restored to their former value', async () => {
  const confirmed = async (...rows: Parameters<typeof wfpFile2023>) => {
    const { id } = await checkedImport(admin, wfpFile2023(...rows))
    await move(admin, id, 'confirm')
    return id
  }
  await confirmed({ date: '2023-01-15', price: '1000' })
  const importId = await confirmed(
    { date: '2023-01-15', price: '1300' },
    { date: '2023-02-15', price: '1100' },
    { date: '2023-03-15', price: '1200' },
  )
  const prices = await db.selectFrom('price').select('id').orderBy('observed_on').execute()
  const [kept, ...gone] = prices.map(({ id }) => id)
  await linkJournal(db)
  await collectMessages(db, new Date())
  // No request to this machine is sent.
  const url = 'https://127.0.0.1/ntalo'
  const events = ['price.deleted', 'price.revised']
  const endpointId = await insertEndpoint(db, {
    userId: admin.userId!,
    url,
    events,
    secret: newWebhookSecret(),
  })
  await move(admin, importId, 'undo')
  await collectMessages(db, new Date())
  const { rows } = await sql<{ body: string }>`
    select body from webhook_delivery join webhook_message m on m.id = message_id
     where endpoint_id = ${endpointId} order by webhook_delivery.id`.execute(db)
  expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([
    {
      type: 'price.deleted',
      data: { count: 2, isPartial: false, importId, prices: gone.map((id) => ({ id })) },
    },
    { type: 'price.revised', data: { count: 1, importId, prices: [{ id: kept, priceValue: 1000 }] } },
  ])
})
