import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { itemsOf, type PhoneEntry, type RoundItem } from '#features/collection/phone/phone.rules.ts'
import type { GoodAnswer } from '#features/collection/phone/ui/field-store.ts'
import { phoneStorage } from '../../../../../tests/support/phone-storage.ts'

const none = { quotesWanted: 1, lastPrice: null, usual: null, absence: null }
const goods = [1, 2].map((productId) => ({ productId, name: `Produit ${productId}`, weight: 'kg', ...none }))
const [rice] = itemsOf(goods, '') as [RoundItem]
const market = { id: 5, name: 'Gambela', timeZone: 'Africa/Kinshasa' }
const priced = (priceValue: number): GoodAnswer => ({ kind: 'typed', priceValue, isDoubtful: false })

let storage = phoneStorage()

/** Starts the program on what its storage holds, with a visit under way. */
async function started() {
  vi.resetModules()
  storage.start()
  const store = await import('#features/collection/phone/ui/field-store.ts')
  await store.loadPhoneState()
  return { ...store, ...(await import('#features/collection/phone/ui/phone-state.ts')) }
}

const saidIn = (entries: readonly PhoneEntry[]) => entries.map(({ state, priceValue }) => [state, priceValue])

beforeEach(() => {
  vi.setSystemTime('2026-03-02T09:00:00Z')
  storage = phoneStorage()
  beginVisit()
})

function beginVisit() {
  storage.set('agents', [{ userId: 3, name: 'Paul' }])
  storage.set('visit', { marketId: 5, startedAt: '2026-03-02T08:00:00.000Z', current: '1-0', typed: '' })
  storage.set('round-5', { market, goods, fetchedAt: '2026-03-02T07:00:00.000Z' })
}

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('a double tap makes one entry, on the screen and on disk', async () => {
  const { enter, phoneState } = await started()
  await Promise.all([enter(rice, priced(1000)), enter(rice, priced(1000))])
  expect(saidIn(phoneState().entries)).toEqual([['waiting', 1000]])
  expect(saidIn((await started()).phoneState().entries)).toEqual([['waiting', 1000]])
})

test('an entry that begins to be sent while the agent corrects it is not undone, but corrected', async () => {
  const { enter, phoneState, replaceEntries } = await started()
  await enter(rice, priced(25_000))
  const [first] = phoneState().entries as [PhoneEntry]
  const correcting = enter(rice, priced(2500))
  replaceEntries([{ ...first, state: 'sent' }])
  await correcting
  expect(saidIn(phoneState().entries)).toEqual([
    ['sent', 25_000],
    ['waiting', 2500],
  ])
  expect(phoneState().entries.map(({ replaces }) => replaces)).toEqual([null, first.id])
})

test('an entry stays on the screen that is made while the program reads what another tab has sent', async () => {
  const many = Array.from({ length: 30 }, (_, n) => ({ ...goods[0]!, productId: 10 + n }))
  storage.set('round-5', { market, goods: [...goods, ...many], fetchedAt: '2026-03-02T07:00:00.000Z' })
  const { enter, phoneState } = await started()
  for (const item of itemsOf(many, '')) await enter(item, priced(500))
  await Promise.all([storage.tell(), enter(rice, priced(1000))])
  expect(saidIn(phoneState().entries)).toContainEqual(['waiting', 1000])
  expect(phoneState().entries).toHaveLength(31)
})

test('wherever the program is killed while an entry takes the place of another, one of the two is left', async () => {
  const kept: (number | null | undefined)[] = []
  let end: unknown = 'killed'
  for (let writes = 0; end === 'killed'; writes++) {
    const before = await started()
    const [left] = before.phoneState().entries
    // Each round corrects what the one before has left.
    if (!left) await before.enter(rice, priced(1))
    const former = before.phoneState().entries[0]?.priceValue ?? 0
    const killed = storage.killAfter(writes)
    end = await Promise.race([killed, before.enter(rice, priced(former + 1))])
    const { entries } = (await started()).phoneState()
    expect(entries, `after ${writes} writes`).toHaveLength(1)
    expect([former, former + 1]).toContain(entries[0]?.priceValue)
    expect((await started()).phoneState().entries).toEqual(entries)
    kept.push((entries[0]?.priceValue ?? 0) - former)
  }
  expect(new Set(kept)).toEqual(new Set([0, 1]))
})

test('wherever the program is killed while it stores an entry, it restarts at a good that has none', async () => {
  let end: unknown = 'killed'
  for (let writes = 0; end === 'killed'; writes++) {
    storage = phoneStorage()
    beginVisit()
    const before = await started()
    for (const key of '25') await before.typeKey(key)
    const killed = storage.killAfter(writes)
    end = await Promise.race([killed, before.enter(rice, priced(2500))])
    const { visit, entries } = (await started()).phoneState()
    expect(visit, `after ${writes} writes`).toMatchObject(
      entries.length === 1 ? { current: '2-0', typed: '' } : { current: '1-0', typed: '25' },
    )
  }
})

test('wherever the program is killed while it sends an entry, the entry stays, even if the database is lost with it', async () => {
  for (let writes = 0, isSent = false; !isSent; writes++) {
    storage = phoneStorage()
    beginVisit()
    const { enter } = await started()
    await enter(rice, priced(1000))
    const { sendAll } = await import('#features/collection/phone/ui/sender.ts')
    vi.stubGlobal('navigator', { locks: { request: (_: string, work: () => Promise<void>) => work() } })
    const killed = storage.killAfter(writes).then(() => false)
    isSent = await Promise.race([sendAll(true).then(() => true), killed])
    storage.loseDatabase()
    beginVisit()
    const { entries } = (await started()).phoneState()
    expect(saidIn(entries), `after ${writes} writes`).toEqual([['waiting', 1000]])
  }
})

test('wherever the program is killed while it binds a photo to its entry, the photo stays, even if the database is lost with it', async () => {
  const place = { visit: '', good: '1-0', label: 'Riz', agentId: 3, message: null }
  const photo = { ...place, sha256: 'ab12', entryId: null }
  const image = new TextEncoder().encode('image').buffer
  const found: unknown[] = []
  let end: unknown = 'killed'
  for (let writes = 0; end === 'killed'; writes++) {
    storage = phoneStorage()
    const read = async () => {
      vi.resetModules()
      storage.start()
      return import('#features/collection/phone/ui/database.ts')
    }
    const { storeEntryOfPhoto, storePhoto } = await read()
    await storePhoto(photo, image)
    const killed = storage.killAfter(writes)
    end = await Promise.race([killed, storeEntryOfPhoto({ ...photo, entryId: 'e1' })])
    storage.loseDatabase()
    const { loadPhotos, readPhoto, removePhoto } = await read()
    const [left, ...others] = await loadPhotos()
    expect([{ ...left, entryId: null }, others], `after ${writes} writes`).toEqual([photo, []])
    expect(Buffer.from((await readPhoto('ab12')) ?? image.slice(1)).toString()).toBe('image')
    found.push(left?.entryId)
    await removePhoto(left ?? photo)
    expect(await loadPhotos()).toEqual([])
  }
  expect(found).toEqual([null, 'e1', 'e1'])
})

test('an entry that its agent is correcting is on the screen again after a restart', async () => {
  const { enter, select, typeKey } = await started()
  await enter(rice, priced(25_000))
  await select('1-0')
  await typeKey('2')
  expect((await started()).phoneState().visit).toMatchObject({ current: '1-0', typed: '2' })
})

test('after the clock is set back, a correction stays the last entry of its good, and is corrected itself', async () => {
  const before = await started()
  await before.enter(rice, priced(25_000))
  const [first] = before.phoneState().entries as [PhoneEntry]
  storage.set(first.id, { ...first, state: 'sent' }, 'entries')
  before.replaceEntries([{ ...first, state: 'sent' }])
  vi.setSystemTime('2026-03-02T08:30:00Z')
  await before.enter(rice, priced(2500))
  const second = before.phoneState().entries.at(-1) as PhoneEntry
  storage.set(second.id, { ...second, state: 'sent' }, 'entries')
  const { enter, entriesOfVisit, phoneState } = await started()
  expect(entriesOfVisit(phoneState()).get('1-0')?.priceValue).toBe(2500)
  await enter(rice, priced(2600))
  expect(phoneState().entries.find(({ priceValue }) => priceValue === 2600)?.replaces).toBe(second.id)
})

test('of many received entries, those of the open visit stay, whatever the clock said', async () => {
  const before = await started()
  await before.enter(rice, priced(1000))
  const [first] = before.phoneState().entries as [PhoneEntry]
  storage.set(first.id, { ...first, state: 'received' }, 'entries')
  for (let n = 0; n < 600; n++) {
    const other = { ...first, id: `former-${n}`, visit: '2026-03-09T08:00:00.000Z', state: 'received' }
    storage.set(other.id, { ...other, deviceAt: '2026-03-09T09:00:00.000Z' }, 'entries')
  }
  const { entriesOfVisit, phoneState } = await started()
  expect(entriesOfVisit(phoneState()).size).toBe(1)
  expect(phoneState().entries).toHaveLength(501)
})

test('a visit left open begins anew on the day it is opened again, and its drafts stay', async () => {
  const before = await started()
  await before.enter(rice, priced(1000))
  await before.typeKey('5')
  vi.setSystemTime('2026-03-03T06:00:00Z')
  const { enter, entriesOfVisit, phoneState } = await started()
  expect(phoneState().visit).toMatchObject({
    startedAt: '2026-03-03T06:00:00.000Z',
    current: '2-0',
    typed: '5',
  })
  expect(entriesOfVisit(phoneState()).size).toBe(0)
  await enter(rice, priced(1100))
  expect(saidIn(phoneState().entries)).toEqual([
    ['waiting', 1000],
    ['waiting', 1100],
  ])
})

test('a visit that stayed on the screen begins anew when the page is shown on another day', async () => {
  const { enter, phoneState, renewVisit } = await started()
  for (const item of itemsOf(goods, '')) await enter(item, priced(1000))
  vi.setSystemTime('2026-03-02T20:00:00Z')
  expect(await renewVisit()).toBe(false)
  expect(phoneState().screen).toBe('summary')
  // In Kinshasa it is the next day.
  vi.setSystemTime('2026-03-02T23:30:00Z')
  expect(await renewVisit()).toBe(true)
  expect(phoneState()).toMatchObject({ screen: 'round', visit: { current: '1-0' } })
})

test.each(['waiting', 'received'] as const)(
  'an entry of another day neither replaces nor undoes one that is %s',
  async (left) => {
    const { enter, phoneState, replaceEntries } = await started()
    await enter(rice, priced(1000))
    replaceEntries(phoneState().entries.map((entry) => ({ ...entry, state: left })))
    vi.setSystemTime('2026-03-03T06:00:00Z')
    await enter(rice, priced(1100))
    expect(saidIn(phoneState().entries)).toEqual([
      [left, 1000],
      ['waiting', 1100],
    ])
    expect(phoneState().entries.map(({ replaces }) => replaces)).toEqual([null, null])
  },
)

test('the prices typed and not entered are known when the visit ends, each at its good', async () => {
  const { draftsOf, enter, phoneState, select, typeKey } = await started()
  await typeKey('2')
  await select('2-0')
  await typeKey('5')
  expect(draftsOf(phoneState().visit)).toEqual({ '1-0': '2', '2-0': '5' })
  await select('1-0')
  await enter(rice, priced(2500))
  expect(draftsOf(phoneState().visit)).toEqual({ '2-0': '5' })
})

test('the currency that the agent chose stays with what is typed, for this product alone, also after a restart', async () => {
  const before = await started()
  await before.typeKey('2')
  await before.chooseCurrency(1, 'USD')
  await before.select('2-0')
  const { phoneState, select } = await started()
  await select('1-0')
  expect(phoneState().visit).toMatchObject({ current: '1-0', typed: '2', currencies: { 1: 'USD' } })
})

test('an entry that the phone has no room for does not come back at the next start', async () => {
  const { enter, phoneState } = await started()
  await enter(rice, priced(1000))
  storage.fill(true)
  await enter(rice, priced(1100))
  expect(phoneState().failure).toContain('Pas enregistré')
  expect(saidIn(phoneState().entries)).toEqual([['waiting', 1000]])
  storage.fill(false)
  expect(saidIn((await started()).phoneState().entries)).toEqual([['waiting', 1000]])
})

test('an entry that a full phone cannot undo stays on the screen, and the agent reads why', async () => {
  const { enter, phoneState, undo } = await started()
  await enter(rice, priced(1000))
  storage.fill(true)
  await undo()
  expect(phoneState()).toMatchObject({
    visit: { current: '2-0' },
    failure: expect.stringContaining('Pas enregistré'),
  })
  expect(saidIn(phoneState().entries)).toEqual([['waiting', 1000]])
  storage.fill(false)
  await undo()
  expect(phoneState()).toMatchObject({ visit: { current: '1-0' }, entries: [], failure: null })
  expect((await started()).phoneState().entries).toEqual([])
})

test('the last entry is the one undone, even after the clock is set back and the program starts again', async () => {
  const before = await started()
  const [, beans] = itemsOf(goods, '')
  await before.enter(rice, priced(1000))
  vi.setSystemTime('2026-03-02T08:01:00Z')
  await before.enter(beans!, priced(2000))
  const { phoneState, undo } = await started()
  await undo()
  expect(saidIn(phoneState().entries)).toEqual([['waiting', 1000]])
  expect(phoneState().visit).toMatchObject({ current: '2-0' })
})

test('a photo that the phone has no room for leaves nothing on it', async () => {
  await started()
  const { loadPhotos, readPhoto, storePhoto } = await import('#features/collection/phone/ui/database.ts')
  const about = { visit: 'v', label: 'Riz', agentId: 3, entryId: null, message: null }
  const image = new TextEncoder().encode('image').buffer
  await storePhoto({ ...about, good: '1-0', sha256: 'ab12' }, image)
  storage.fill(true)
  await expect(storePhoto({ ...about, good: '2-0', sha256: 'cd34' }, image)).rejects.toThrow('Quota')
  // The same picture as a photo that is there.
  await expect(storePhoto({ ...about, good: '3-0', sha256: 'ab12' }, image)).rejects.toThrow('Quota')
  storage.fill(false)
  expect((await loadPhotos()).map(({ good }) => good)).toEqual(['1-0'])
  expect(await readPhoto('ab12')).toBeDefined()
  expect(await readPhoto('cd34')).toBeUndefined()
})

test('a photo that a full phone cannot delete stays on the screen', async () => {
  const { phoneState, setPhoneState } = await started()
  const { dropPhoto } = await import('#features/collection/phone/ui/photos.ts')
  const photo = {
    visit: 'v',
    good: '1-0',
    label: 'Riz',
    agentId: 3,
    entryId: null,
    message: null,
    sha256: 'ab',
  }
  setPhoneState({ photos: [photo] })
  storage.fill(true)
  await dropPhoto(photo)
  expect(phoneState()).toMatchObject({ photos: [photo], failure: expect.stringContaining('Pas enregistré') })
})

test('a full phone starts, with entries to restore, to remove and too many received ones', async () => {
  const before = await started()
  await before.enter(rice, priced(1000))
  const [first] = before.phoneState().entries as [PhoneEntry]
  storage.loseDatabase()
  beginVisit()
  for (let n = 0; n < 600; n++) {
    const received = { ...first, id: `former-${n}`, visit: '2026-03-01T08:00:00.000Z', state: 'received' }
    storage.set(received.id, received, 'entries')
  }
  storage.set('undone', { ...first, id: 'undone' }, 'entries')
  storage.set('made', { ...first, id: 'made', productId: 2, undoes: ['undone'] }, 'entries')
  storage.fill(true)
  const { entriesOfVisit, phoneState } = await started()
  expect(phoneState()).toMatchObject({ isLoaded: true, failure: expect.stringContaining('Pas enregistré') })
  expect([...entriesOfVisit(phoneState()).values()].map(({ id }) => id).toSorted()).toEqual(
    [first.id, 'made'].toSorted(),
  )
})

test('an entry refused after the agent corrected it leaves the phone, and its correction stays', async () => {
  const { enter, phoneState, replaceEntries, removeUndone } = await started()
  await enter(rice, priced(25_000))
  const [first] = phoneState().entries as [PhoneEntry]
  replaceEntries([{ ...first, state: 'sent' }])
  await enter(rice, priced(2500))
  replaceEntries([{ ...first, state: 'check', isDayNeeded: true }])
  await removeUndone()
  expect(saidIn(phoneState().entries)).toEqual([['waiting', 2500]])
  expect(saidIn((await started()).phoneState().entries)).toEqual([['waiting', 2500]])
})

async function answering() {
  await started()
  const { answerReturned } = await import('#features/collection/phone/ui/returned.ts')
  const returned = {
    priceId: 9,
    product: { id: 1, name: 'Riz', weight: 'kg' },
    market,
    priceValue: 25_000,
    currency: 'CDF',
    day: '2026-03-01',
    comment: 'Dix fois trop',
    dueOn: '2026-03-04',
    likely: 2500,
    returnedAt: '2026-03-02T07:00:00.000Z',
  } as unknown as Parameters<typeof answerReturned>[0]
  return { answerReturned, returned }
}

test('a double tap answers a returned price once', async () => {
  const { answerReturned, returned } = await answering()
  await Promise.all([answerReturned(returned, 2500), answerReturned(returned, 2500)])
  expect(saidIn((await started()).phoneState().entries)).toEqual([['waiting', 2500]])
})

test('a returned price is corrected in the currency that the agent says', async () => {
  const { answerReturned, returned } = await answering()
  await answerReturned(returned, 25, 'USD')
  expect((await started()).phoneState().entries).toMatchObject([{ priceValue: 25, currency: 'USD' }])
})
