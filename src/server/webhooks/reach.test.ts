import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { postToThirdParty } from '#server/webhooks/post.ts'
import { isPublicAddress, publicInternet, type Reach, refusalOfUrl } from '#server/webhooks/reach.ts'

let reached = 0
const inside = createServer((_request, response) => {
  reached += 1
  response.end('secret')
})
await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
const { port } = inside.address() as AddressInfo
afterAll(() => inside.close())

/** The real rule about addresses, without those about the port and the protocol, which would refuse earlier. */
const anyPort: Reach = { ...publicInternet, protocols: ['http:', 'https:'] }
delete Object(anyPort).ports

const post = (url: string, reach: Reach = anyPort, signal = new AbortController().signal) =>
  postToThirdParty(url, { body: '{}', headers: {}, reach, signal })

const hostile = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0x7f.1',
    '0x7f000001',
    '017700000001',
    '2130706433',
    '127.255.255.254',
  ],
  ...[
    '0.0.0.0',
    '0',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '169.254.169.254',
    '169.254.0.1',
    '172.16.0.1',
  ],
  '172.31.255.255',
  '192.168.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.51.100.1',
  ...[
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '１２７.0.0.1',
    '127.0.0.1.',
  ],
  ...[
    '[::1]',
    '[::]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[fc00::1]',
  ],
  ...[
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[2001::1]',
    '[2001:db8::1]',
    '[2002:7f00:1::]',
  ],
  ...['[100::1]', '[3fff::1]', '[2001:10::1]', '[5f00::1]', 'localhost', 'localhost.'],
]

describe('a host that is not public', () => {
  test.each(hostile)('%s is never reached', async (host) => {
    await expect(post(`http://${host}:${port}/`)).rejects.toThrow()
    expect(reached).toBe(0)
  })

  test('is one of more than 41 tried, each of which would have been answered', async () => {
    expect(hostile.length).toBeGreaterThan(41)
    const open: Reach = { allows: () => true, protocols: ['http:'] }
    expect(await post(`http://127.0.0.1:${port}/`, open)).toEqual({ status: 200, answer: 'secret' })
    reached = 0
  })
})

describe('a name', () => {
  const leadsTo =
    (...addresses: string[]): LookupFunction =>
    (_name, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )

  test.each([['127.0.0.1'], ['::1'], ['8.8.8.8', '127.0.0.1'], ['10.0.0.1'], ['::ffff:127.0.0.1'], []])(
    'that leads to %s %s reaches nothing',
    async (...addresses) => {
      const reach = { ...anyPort, lookup: leadsTo(...addresses.filter(Boolean)) }
      await expect(post(`http://rebond.exemple.cd:${port}/`, reach)).rejects.toThrow('pas publique')
      expect(reached).toBe(0)
    },
  )

  test('is resolved once for each message: a change after the check has no effect', async () => {
    for (let n = 0; n < 20; n++) {
      const leaving = new AbortController()
      let looks = 0
      const lookup: LookupFunction = (name, options, callback) => {
        looks += 1
        // The check finds a public address; a second lookup would find this machine.
        if (looks > 1) return leadsTo('127.0.0.1')(name, options, callback)
        leaving.abort(new Error('left'))
        leadsTo('8.8.8.8')(name, options, callback)
      }
      await expect(
        post(`http://rebond.exemple.cd:${port}/`, { ...anyPort, lookup }, leaving.signal),
      ).rejects.toThrow()
      expect([looks, reached]).toEqual([1, 0])
    }
  })
})

test.each([
  ['http://exemple.cd/', 'https'],
  ['ftp://exemple.cd/', 'https'],
  ['https://moi:secret@exemple.cd/', 'mot de passe'],
  ['https://exemple.cd:22/', 'Ports possibles'],
  ['https://127.0.0.1/', 'internet public'],
  ['https://[::1]/', 'internet public'],
  ['https://localhost/', 'internet public'],
  ['n’importe quoi', 'https'],
])('%s is refused when it is saved', (url, why) => {
  expect(refusalOfUrl(url, publicInternet)).toContain(why)
})

test('a public address is allowed', () => {
  expect(refusalOfUrl('https://exemple.cd/ntalo?x=1', publicInternet)).toBeNull()
  expect(refusalOfUrl('https://exemple.cd:8443/', publicInternet)).toBeNull()
  for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450::1']) {
    expect(isPublicAddress(address), address).toBe(true)
  }
  expect(isPublicAddress('exemple.cd')).toBe(false)
})
