import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { PhoneEntry, PhonePhoto } from '#features/collection/phone/phone.rules.ts'
import { phoneStorage } from '../../../../../tests/support/phone-storage.ts'
import { waitLimitMs } from '../../../../../tests/support/wait-limit.ts'

const agentId = 3
const begun = '2026-03-02T09:00:00Z'
const storage = phoneStorage()
/** Tokens handed out, and those that the server takes. */
let opened: string[] = []
let taken = new Set<string>()

beforeEach(async () => {
  vi.resetModules()
  vi.setSystemTime(begun)
  storage.start()
  opened = []
  taken = new Set()
  const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
  ])
  storage.set('agents', [{ userId: agentId, name: 'Paul', deviceId: 1, counter: 1, privateKey }])
  storage.set('agentId', agentId)
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    if (url.includes('/session')) {
      const token = `t${opened.length}`
      opened.push(token)
      taken.add(token)
      return Response.json({ token })
    }
    if (!taken.has(String(headers.authorization).replace('Bearer ', ''))) {
      return Response.json({ message: 'Connectez-vous' }, { status: 401 })
    }
    return Response.json(url.includes('/photos/') ? { sha256: 'ab' } : { data: [] })
  })
})

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetModules()
})

const photoNamed = (sha256: string, good = '1-0'): PhonePhoto => ({
  sha256,
  agentId,
  visit: 'v',
  good,
  entryId: 'e',
  label: 'Riz',
  message: null,
})

/** An entry of this moment, which can still be undone. */
const newEntry = (id: string): PhoneEntry => ({
  id,
  agentId,
  productId: 1,
  marketId: 5,
  turn: 0,
  kind: 'typed',
  priceValue: 1000,
  currency: 'CDF',
  reason: null,
  isBlind: false,
  isDoubtful: false,
  replaces: null,
  deviceAt: begun,
  clockOffsetMs: null,
  fetchedAt: null,
  hasGoneBack: false,
  day: null,
  visit: 'v',
  label: 'Riz',
  state: 'waiting',
  message: null,
  isDayNeeded: false,
})

/** Answers prices, and the photo under way only when the test says so. */
function slowServer() {
  const sent: string[] = []
  let answer: (answer: Response) => void = () => {}
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    if (url.includes('/session')) return Response.json({ token: 't' })
    if (url.includes('/photos/')) {
      sent.push(url.replace(/.*[/]/, ''))
      return new Promise<Response>((resolve) => {
        answer = resolve
      })
    }
    const ids = (JSON.parse(body).entries as { id: string }[]).map(({ id }) => id)
    sent.push(...ids)
    const receipts = ids.map((id) => ({ id, state: 'received', priceId: 1, message: null }))
    return Response.json({ receipts, serverTime: begun })
  })
  const hasSent = (expected: string[]) =>
    vi.waitFor(() => expect(sent).toEqual(expected), { timeout: waitLimitMs })
  return { hasSent, answerPhoto: (body: object, status = 200) => answer(Response.json(body, { status })) }
}

/** Starts the program, with a first token that the server no longer takes. */
async function started() {
  const { loadPhoneState } = await import('#features/collection/phone/ui/field-store.ts')
  await loadPhoneState()
  const { tokenOf } = await import('#features/collection/phone/ui/device.ts')
  await tokenOf(agentId)
  taken.clear()
  return import('#features/collection/phone/ui/phone-state.ts')
}

test('a token that the server no longer takes is renewed for the markets', async () => {
  const { phoneState } = await started()
  const { refreshMarkets } = await import('#features/collection/phone/ui/rounds.ts')
  await refreshMarkets()
  expect(phoneState().failure).toBe(null)
  expect(opened).toHaveLength(2)
})

test('a token that the server no longer takes is renewed for returned prices', async () => {
  const { setPhoneState, phoneState } = await started()
  setPhoneState({ returned: [{ priceId: 1 } as never] })
  const { fetchReturned } = await import('#features/collection/phone/ui/returned.ts')
  await fetchReturned()
  expect(phoneState().returned).toEqual([])
})

test('a token that the server no longer takes is renewed for photos', async () => {
  const { setPhoneState, phoneState } = await started()
  storage.set('ab', new ArrayBuffer(8), 'photos')
  setPhoneState({ photos: [photoNamed('ab')] })
  const { sendPhotos } = await import('#features/collection/phone/ui/photos.ts')
  await sendPhotos(phoneState().agents[0]!, async () => {})
  expect(phoneState().photos).toEqual([])
})

test('prices entered while photos are sent go before the next photo, or after the last', async () => {
  const { setPhoneState, phoneState } = await started()
  const { hasSent, answerPhoto } = slowServer()
  let turn: Promise<unknown> = Promise.resolve()
  const request = (_name: string, work: () => Promise<void>) => {
    turn = turn.then(work)
    return turn
  }
  vi.stubGlobal('navigator', { onLine: true, locks: { request } })
  for (const sha256 of ['ab', 'cd']) storage.set(sha256, new ArrayBuffer(8), 'photos')
  setPhoneState({ photos: [photoNamed('ab'), photoNamed('cd', '2-0')] })
  const { sendAll } = await import('#features/collection/phone/ui/sender.ts')
  const sending = [sendAll()]
  await hasSent(['ab'])
  setPhoneState({ entries: [newEntry('first')] })
  // As when the visit ends.
  sending.push(sendAll(), sendAll(true))
  answerPhoto({ sha256: 'ab' })
  await hasSent(['ab', 'first', 'cd'])
  setPhoneState({ entries: [...phoneState().entries, newEntry('second')] })
  sending.push(sendAll(true))
  answerPhoto({ sha256: 'cd' })
  await Promise.all(sending)
  await hasSent(['ab', 'first', 'cd', 'second'])
  expect(phoneState()).toMatchObject({ photos: [], entries: [{ state: 'received' }, { state: 'received' }] })
})

test.each([200, 400])(
  'a photo taken anew while the former is sent stays and is sent, when the former is answered with %i',
  async (status) => {
    const { setPhoneState, phoneState } = await started()
    const { hasSent, answerPhoto } = slowServer()
    for (const sha256 of ['ab', 'cd']) storage.set(sha256, new ArrayBuffer(8), 'photos')
    setPhoneState({ photos: [photoNamed('ab')] })
    const { sendPhotos } = await import('#features/collection/phone/ui/photos.ts')
    const sending = sendPhotos(phoneState().agents[0]!, async () => {})
    await hasSent(['ab'])
    setPhoneState({ photos: [photoNamed('cd')] })
    answerPhoto({ sha256: 'ab' }, status)
    await hasSent(['ab', 'cd'])
    expect(phoneState().photos).toEqual([photoNamed('cd')])
    answerPhoto({ sha256: 'cd' })
    await sending
    expect(phoneState().photos).toEqual([])
  },
)

test('a key that the server refuses is not tried twice', async () => {
  await started()
  const { exchangeAs } = await import('#features/collection/phone/ui/device.ts')
  const refused = vi.fn(async () => Response.json({ message: 'Clé révoquée' }, { status: 401 }))
  vi.stubGlobal('fetch', refused)
  await expect(exchangeAs(agentId, { method: 'GET', path: '/api/x' }, {})).rejects.toThrow('Clé révoquée')
  // The call, and the session that would renew its token.
  expect(refused).toHaveBeenCalledTimes(2)
})

test('a phone that slept opens a session again, though its own timer stood still', async () => {
  await started()
  vi.setSystemTime('2026-03-02T09:20:00Z')
  const { tokenOf } = await import('#features/collection/phone/ui/device.ts')
  expect(await tokenOf(agentId)).toBe('t1')
  expect(await tokenOf(agentId)).toBe('t1')
})
