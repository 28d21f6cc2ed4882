import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { contact } from '#features/contact/contact.contract.ts'
import { testServer } from '../../../tests/support/server.ts'
import { addressOf, createVisitorQueues, networkOf, visitorQueueKey } from './visitors.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('an address is the one seen by the last trusted proxy, whatever precedes it', () => {
  const request = {
    headers: { 'x-forwarded-for': '6.6.6.6, 192.0.2.1' },
    socket: { remoteAddress: '10.0.0.1' },
  } as unknown as IncomingMessage
  expect([0, 1, 2, 9].map((proxies) => addressOf(request, proxies))).toEqual([
    '10.0.0.1',
    '192.0.2.1',
    '6.6.6.6',
    '6.6.6.6',
  ])
})

describe('many requests of one network', () => {
  const response = () => new EventEmitter() as ServerResponse

  test('run four at a time, with 200 waiting and the others refused; another network does not wait for them', async () => {
    const { enter, leave } = createVisitorQueues()
    const begun: ServerResponse[] = []
    let refused = 0
    const send = (key: string) => {
      const each = response()
      enter(
        key,
        each,
        () => begun.push(each),
        () => void refused++,
      )
      return each
    }
    for (let i = 0; i < 300; i++) send('one')
    expect([begun.length, refused]).toEqual([4, 96])
    send('other')
    send('health')
    expect(begun.length).toBe(6)
    begun[0]?.emit('close')
    expect(begun.length).toBe(6)
    await expect.poll(() => begun.length).toBe(7)
    // A client whose session was read meanwhile takes no visitor's place, however long the response lasts.
    if (begun[1]) leave(begun[1])
    await expect.poll(() => begun.length).toBe(8)
  })

  test('are not started when their clients have left', async () => {
    const { enter } = createVisitorQueues()
    const begun: number[] = []
    const sent = [0, 1, 2, 3, 4, 5].map((name) => {
      const each = response()
      enter(
        'one',
        each,
        () => begun.push(name),
        () => undefined,
      )
      return each
    })
    sent[4]?.emit('close')
    sent[0]?.emit('close')
    await expect.poll(() => begun).toEqual([0, 1, 2, 3, 5])
  })

  test('wait, after a long one, for a pause as long, in which other networks are served', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { enter } = createVisitorQueues()
    const begun: ServerResponse[] = []
    for (let i = 0; i < 6; i++) {
      const each = response()
      enter(
        'one',
        each,
        () => begun.push(each),
        () => undefined,
      )
    }
    vi.advanceTimersByTime(8)
    begun[0]?.emit('close')
    vi.advanceTimersByTime(7)
    expect(begun).toHaveLength(4)
    vi.advanceTimersByTime(1)
    expect(begun).toHaveLength(5)
  })
})

test('the health check has its own queue', () => {
  expect(visitorQueueKey('/api/health?x', '192.0.2.1')).toBe(visitorQueueKey('/api/health', '192.0.2.2'))
  expect(visitorQueueKey('/api/prices', '192.0.2.1')).not.toBe(visitorQueueKey('/api/health', '192.0.2.1'))
})

test('of 40 messages from one /64, 30 pass; another network can still send', async () => {
  const server = await testServer()
  const write = (remoteAddress: string) =>
    server.http.inject({
      method: contact.method,
      url: contact.path,
      remoteAddress,
      payload: {
        name: 'Aline',
        email: 'aline@ntalo.example',
        subject: 'Prix',
        message: 'Quels sont les prix du riz à Goma ?',
      },
    })
  const statuses: number[] = []
  for (let i = 1; i <= 40; i++) statuses.push((await write(`2001:db8:1:2::${i.toString(16)}`)).statusCode)
  expect(statuses.filter((status) => status < 300)).toHaveLength(30)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  expect((await write('2001:db8:1:3::1')).statusCode).toBeLessThan(300)
})

test('a page that is the same for every address is rendered once, for any unknown address', async () => {
  const server = await testServer()
  const [one, other] = await Promise.all(['/nulle-part', '/ailleurs'].map((path) => server.visitor.get(path)))
  expect([one?.status, other?.status]).toEqual([404, 404])
  expect(other?.text).toBe(one?.text)
})
