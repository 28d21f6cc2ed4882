import { expect, test } from 'vitest'
import { createOrange } from '#features/channels/sms/orange.gateway.ts'

test('an SMS waits while no connection to the server of tokens can be made', async () => {
  const orange = createOrange({
    url: 'http://127.0.0.1:2',
    clientId: 'x',
    clientSecret: 'x',
    senderName: null,
    receiptSecret: null,
  })
  expect(await orange.send({ id: '1', address: '243810000000', text: 'Riz', isAnswer: false })).toMatchObject(
    {
      kind: 'later',
    },
  )
})
