import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { phoneStorage } from '../../../../../tests/support/phone-storage.ts'

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

/** Starts the program, with a first token that the server no longer takes. */
async function started() {
  const { loadField, ...store } = await import('#features/collection/phone/ui/field-store.ts')
  await loadField()
  const { tokenOf } = await import('#features/collection/phone/ui/device.ts')
  await tokenOf(agentId)
  taken.clear()
  return store
}

test('a token that the server no longer takes is renewed for the markets', async () => {
  const { fieldState } = await started()
  const { findAgent } = await import('#features/collection/phone/ui/rounds.ts')
  await findAgent()
  expect(fieldState().failure).toBe(null)
  expect(opened).toHaveLength(2)
})

test('a token that the server no longer takes is renewed for returned prices', async () => {
  const { setField, fieldState } = await started()
  setField({ returned: [{ priceId: 1 } as never] })
  const { fetchReturned } = await import('#features/collection/phone/ui/returned.ts')
  await fetchReturned()
  expect(fieldState().returned).toEqual([])
})

test('a token that the server no longer takes is renewed for photos', async () => {
  const { setField, fieldState } = await started()
  storage.set('ab', new ArrayBuffer(8), 'photos')
  const photo = { sha256: 'ab', agentId, visit: 'v', good: '1-0', entryId: 'e', label: 'Riz', message: null }
  setField({ photos: [photo] })
  const { sendPhotos } = await import('#features/collection/phone/ui/photos.ts')
  await sendPhotos(fieldState().agents[0]!)
  expect(fieldState().photos).toEqual([])
})

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
