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

async function confirmed(...rows: Parameters<typeof wfpFile2023>): Promise<number> {
  const { id } = await checkedImport(admin, wfpFile2023(...rows))
  await move(admin, id, 'confirm')
  return id
}

/** Inserts an endpoint; returns a function that collects its messages so far. */
async function collecting(): Promise<() => Promise<unknown[]>> {
  await linkJournal(db)
  await collectMessages(db, new Date())
  const endpointId = await insertEndpoint(db, {
    userId: admin.userId!,
    // No request to this machine is sent.
    url: 'https://127.0.0.1/ntalo',
    events: ['price.created', 'price.revised', 'price.deleted'],
    secret: newWebhookSecret(),
  })
  return async () => {
    await collectMessages(db, new Date())
    const { rows } = await sql<{ body: string }>`
      select body from webhook_delivery join webhook_message m on m.id = message_id
       where endpoint_id = ${endpointId} order by webhook_delivery.id`.execute(db)
    return rows.map(({ body }) => JSON.parse(body))
  }
}

test('an import sends each price it adds or revises once, with its id, and no exchange rate', async () => {
  await confirmed({ date: '2022-01-15', price: '1000' })
  const messages = await collecting()
  const rates = ['15', '16', '17'].map((day) => ({
    date: `2022-02-${day}`,
    category: 'non-food',
    commodity: 'Exchange rate',
    unit: 'USD',
    price: '2000',
  }))
  const importId = await confirmed({ date: '2022-01-15', price: '1300' }, ...rates)
  const [price] = await db.selectFrom('price').select('id').execute()
  expect(await messages()).toMatchObject([
    { type: 'price.revised', data: { count: 1, isPartial: false, importId, prices: [{ id: price!.id }] } },
  ])
  await move(admin, importId, 'undo')
  expect((await messages()).slice(1)).toMatchObject([
    { type: 'price.revised', data: { count: 1, isPartial: false, importId, prices: [{ id: price!.id }] } },
  ])
})

test('an undone import sends the deleted prices, and those restored to their former value', async () => {
  await confirmed({ date: '2023-01-15', price: '1000' })
  const importId = await confirmed(
    { date: '2023-01-15', price: '1300' },
    { date: '2023-02-15', price: '1100' },
    { date: '2023-03-15', price: '1200' },
  )
  const prices = await db
    .selectFrom('price')
    .select('id')
    .where('observed_on', '>=', '2023-01-01')
    .orderBy('observed_on')
    .execute()
  const [kept, ...gone] = prices.map(({ id }) => id)
  const messages = await collecting()
  await move(admin, importId, 'undo')
  expect(await messages()).toMatchObject([
    {
      type: 'price.deleted',
      data: { count: 2, isPartial: false, importId, prices: gone.map((id) => ({ id })) },
    },
    { type: 'price.revised', data: { count: 1, importId, prices: [{ id: kept, priceValue: 1000 }] } },
  ])
})
