import { expect, test } from 'vitest'
import { newWebhookSecret, shownSecret, signedHeaders } from '#server/webhooks/signature.ts'

const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' }
const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
const at = new Date(1_614_265_330_999)

test('a message is signed like the example of the specification', () => {
  expect(signedHeaders(message, [secret], at)).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('two secrets sign while one replaces the other', () => {
  const other = newWebhookSecret()
  const both = signedHeaders(message, [other, secret], at)['webhook-signature']
  expect(both).toBe(
    [other, secret].map((each) => signedHeaders(message, [each], at)['webhook-signature']).join(' '),
  )
})

test('a secret is shown with its prefix, and is never repeated', () => {
  expect(shownSecret(secret)).toBe('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  expect(newWebhookSecret()).not.toEqual(newWebhookSecret())
})
