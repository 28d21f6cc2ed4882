import { describe, expect, test } from 'vitest'
import { localUrl, readConfig } from './config.ts'

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://ntalo.exemple',
  MAIL_FROM: 'Ntalo <ne-pas-repondre@ntalo.exemple>',
  ADMIN_EMAIL: 'admin@ntalo.exemple',
  DATABASE_URL: 'postgresql://ntalo@localhost/ntalo',
}

describe('NODE_ENV', () => {
  test.each([
    [undefined, false],
    ['development', false],
    ['test', false],
    ['production', true],
  ])('%j is accepted', (name, isProduction) => {
    expect(readConfig({ ...production, NODE_ENV: name })).toMatchObject({
      isProduction,
      demonstrationPrices: isProduction ? 0 : 300_000,
    })
  })

  test.each(['', 'prod', 'Production', 'PRODUCTION', 'production ', ' ', 'staging', 'dev', '"production"'])(
    '%j is refused, without repeating the value',
    (name) => {
      const read = () => readConfig({ NODE_ENV: name })
      expect(read).toThrow(/^Configuration refusée\. NODE_ENV : .*production, development ou test/)
    },
  )
})

describe('GOOGLE_…', () => {
  const id = { GOOGLE_CLIENT_ID: '123-abc.apps.googleusercontent.com' }
  const secret = { GOOGLE_CLIENT_SECRET: 'GOCSPX-secret' }

  test.each([
    ['nothing', {}, null],
    ['nothing but blanks', { GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: '', GOOGLE_ISSUER: '' }, null],
    ['both', { ...id, ...secret }, 'https://accounts.google.com'],
    [
      'an issuer of ours too',
      { ...id, ...secret, GOOGLE_ISSUER: 'http://127.0.0.1:9' },
      'http://127.0.0.1:9',
    ],
    ['both in production', { ...production, ...id, ...secret }, 'https://accounts.google.com'],
  ])('%s is accepted', (_what, env, issuer) => {
    expect(readConfig(env).google?.issuer ?? null).toBe(issuer)
  })

  test.each([
    [
      'an identifier alone',
      id,
      /^Configuration incomplète .*GOOGLE_CLIENT_ID et GOOGLE_CLIENT_SECRET vont ensemble/,
    ],
    [
      'a secret alone',
      secret,
      /^Configuration incomplète .*GOOGLE_CLIENT_ID et GOOGLE_CLIENT_SECRET vont ensemble/,
    ],
    [
      'an issuer alone',
      { GOOGLE_ISSUER: 'https://accounts.google.com' },
      /^Configuration incomplète .*GOOGLE_ISSUER demande/,
    ],
    [
      'an identifier with a space',
      { ...secret, GOOGLE_CLIENT_ID: 'un deux' },
      /^Configuration refusée.*GOOGLE_CLIENT_ID : .*attendu/,
    ],
    [
      'an issuer that is no address',
      { ...id, ...secret, GOOGLE_ISSUER: 'google' },
      /^Configuration refusée.*GOOGLE_ISSUER : une adresse/,
    ],
    [
      'an issuer in clear in production',
      { ...production, ...id, ...secret, GOOGLE_ISSUER: 'http://google.exemple' },
      /^Configuration refusée.*GOOGLE_ISSUER : une adresse https/,
    ],
  ])('%s is refused in French, without repeating the value', (_what, env, words) => {
    expect(() => readConfig(env)).toThrow(words)
    expect(() => readConfig(env)).not.toThrow(/GOCSPX|un deux|google\.exemple/)
  })
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['localhost', 'http://localhost:3000'],
  ['::1', 'http://[::1]:3000'],
  ['::', 'http://[::]:3000'],
])('a server on %s prints an address that can be opened', (host, address) => {
  expect(localUrl(host, 3000)).toBe(address)
  expect(URL.canParse(address)).toBe(true)
})

test.each([
  'https://ntalo.exemple/app',
  'https://ntalo.exemple/?a=1',
  'https://ntalo.exemple/#a',
  'ftp://ntalo.exemple',
])('PUBLIC_URL is refused as %s: pages and cookies are at the root', (address) => {
  expect(() => readConfig({ PUBLIC_URL: address })).toThrow(/PUBLIC_URL : une adresse/)
})

test.each(['https://ntalo.exemple', 'https://ntalo.exemple/', 'http://10.0.0.1:3000//'])(
  'PUBLIC_URL is accepted as %s, without its slashes',
  (address) => {
    expect(readConfig({ PUBLIC_URL: address }).publicUrl).toBe(address.replace(/\/+$/, ''))
  },
)

test('FlexPay is used with all three of its settings, refused with fewer, and not used when they are blank', () => {
  const [url, merchant, token] = ['https://flexpay.exemple/api/rest/v1/', 'NTALO', 'jeton-secret']
  const all = { FLEXPAY_URL: url, FLEXPAY_MERCHANT: merchant, FLEXPAY_TOKEN: token }
  const flexpay = { url: 'https://flexpay.exemple/api/rest/v1', merchant, token, cardUrl: null }
  expect(readConfig(all).flexpay).toEqual(flexpay)
  const FLEXPAY_CARD_URL = 'https://cartes.exemple/v1.1/pay'
  expect(readConfig({ ...all, FLEXPAY_CARD_URL }).flexpay).toEqual({ ...flexpay, cardUrl: FLEXPAY_CARD_URL })
  expect(() => readConfig({ FLEXPAY_CARD_URL })).toThrow(
    /^Configuration incomplète .*FLEXPAY_CARD_URL demande aussi FLEXPAY_URL/,
  )
  expect(() => readConfig({ ...all, FLEXPAY_CARD_URL: 'pay' })).toThrow(/FLEXPAY_CARD_URL : une adresse http/)
  for (const name of Object.keys(all)) {
    const read = () => readConfig({ ...all, [name]: '' })
    expect(read).toThrow(
      /^Configuration incomplète .*FLEXPAY_URL, FLEXPAY_MERCHANT et FLEXPAY_TOKEN vont ensemble/,
    )
    expect(read).not.toThrow(/jeton-secret/)
  }
  expect(() => readConfig({ ...all, FLEXPAY_URL: 'flexpay' })).toThrow(/FLEXPAY_URL : une adresse http/)
  expect(readConfig({ FLEXPAY_URL: '', FLEXPAY_MERCHANT: '', FLEXPAY_TOKEN: '' }).flexpay).toBeNull()
  expect([readConfig({}).askedFirst, readConfig({ PAYMENT_FIRST: 'flexpay' }).askedFirst]).toEqual([
    'pawapay',
    'flexpay',
  ])
  expect(() => readConfig({ PAYMENT_FIRST: 'mpesa' })).toThrow(/PAYMENT_FIRST : pawapay ou flexpay/)
})

test('a channel of messages is configured by all of its settings, or not at all', () => {
  expect(readConfig({}).channels).toEqual({ telegram: null, orange: null, keccel: null, whatsapp: null })
  const telegram = { TELEGRAM_BOT: 'ntalo_bot', TELEGRAM_TOKEN: '12:jeton-secret' }
  expect(readConfig(telegram).channels.telegram).toEqual({ bot: 'ntalo_bot', token: '12:jeton-secret' })
  const read = () => readConfig({ ...telegram, TELEGRAM_BOT: '' })
  expect(read).toThrow(/TELEGRAM_BOT, TELEGRAM_TOKEN vont ensemble, il manque TELEGRAM_BOT/)
  expect(read).not.toThrow(/jeton-secret/)
  const orange = { ORANGE_SMS_CLIENT_ID: 'a', ORANGE_SMS_CLIENT_SECRET: 'b' }
  expect(readConfig(orange).channels.orange).toMatchObject({ senderName: null, receiptSecret: null })
  expect(() => readConfig({ WHATSAPP_TOKEN: 'c' })).toThrow(/il manque WHATSAPP_NUMBER_ID/)
})
