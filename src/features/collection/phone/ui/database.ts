import {
  type PhoneEntry,
  type PhonePhoto,
  showsSameGood,
  undoneAmong,
} from '#features/collection/phone/phone.rules.ts'

const name = 'ntalo-collecte'
const copies = 'ntalo-collecte-copies'
const stores = ['settings', 'entries', 'photos'] as const
type Store = (typeof stores)[number]

let opening: Promise<IDBDatabase> | undefined

function openPhoneDatabase(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 2)
    request.onupgradeneeded = () => {
      for (const store of stores) {
        if (!request.result.objectStoreNames.contains(store)) request.result.createObjectStore(store)
      }
    }
    request.onsuccess = () => {
      const database = request.result
      const forget = () => {
        opening = undefined
      }
      database.onversionchange = () => {
        database.close()
        forget()
      }
      database.onclose = forget
      resolve(database)
    }
    request.onerror = () => {
      opening = undefined
      reject(request.error)
    }
  })
  return opening
}

/** Runs work on one store in one transaction; resolves once it is on disk. */
async function inStore<T>(
  store: Store,
  mode: IDBTransactionMode,
  work: (rows: IDBObjectStore) => IDBRequest<T> | undefined,
): Promise<T | undefined> {
  const database = await openPhoneDatabase()
  return new Promise((resolve, reject) => {
    // The default durability loses the writes of the minutes before a power cut.
    const transaction = database.transaction(store, mode, { durability: 'strict' })
    const request = work(transaction.objectStore(store))
    transaction.oncomplete = () => resolve(request?.result)
    transaction.onabort = () => reject(transaction.error)
  })
}

export async function readSetting<T>(key: string): Promise<T | undefined> {
  return (await inStore('settings', 'readonly', (rows) => rows.get(key))) as T | undefined
}

export async function writeSetting(key: string, value: unknown): Promise<void> {
  await inStore('settings', 'readwrite', (rows) => void rows.put(value, key))
}

/** Updates a setting in one transaction. */
export async function changeSetting<T>(key: string, change: (before: T | undefined) => T): Promise<T> {
  let after: T | undefined
  await inStore('settings', 'readwrite', (rows) => {
    const request = rows.get(key)
    request.onsuccess = () => {
      after = change(request.result as T | undefined)
      rows.put(after, key)
    }
    return undefined
  })
  return after as T
}

const copyOf = (id: string) => `/collecte/copies/${id}`

/**
 * Stores a new entry twice. Chromium empties a whole database whose log is damaged, for example by a full disk,
 * so the copy outside of it is written first.
 * @throws when either write fails: the entry is then not stored, and must be shown as such
 */
export async function storeEntry(entry: PhoneEntry): Promise<void> {
  const cache = await caches.open(copies)
  await cache.put(copyOf(entry.id), new Response(JSON.stringify(entry)))
  await inStore('entries', 'readwrite', (rows) => void rows.put(entry, entry.id))
}

/**
 * Stores changes of entries: a state, a message, a day. Their copies do not change, because a copy that is being
 * replaced when the browser is killed is lost. An entry restored from its copy is sent again, which does no harm.
 */
export async function updateEntries(entries: readonly PhoneEntry[]): Promise<void> {
  await inStore('entries', 'readwrite', (rows) => {
    for (const entry of entries) rows.put(entry, entry.id)
    return undefined
  })
}

/** Stores received entries, and deletes their copies first, which makes room on a full phone. */
export async function storeReceived(entries: readonly PhoneEntry[]): Promise<void> {
  const cache = await caches.open(copies)
  for (const { id } of entries) await cache.delete(copyOf(id))
  await updateEntries(entries)
}

/** Deletes entries that the agent undid, or that were received long ago. */
export async function removeEntries(ids: readonly string[]): Promise<void> {
  const cache = await caches.open(copies)
  for (const id of ids) await cache.delete(copyOf(id))
  await inStore('entries', 'readwrite', (rows) => {
    for (const id of ids) rows.delete(id)
    return undefined
  })
}

/**
 * Returns all entries of the phone that count; those that the database has lost are restored from their copies, and
 * undone ones are deleted. If the phone has no room for these writes, the next start repeats them.
 */
export async function loadEntries(): Promise<PhoneEntry[]> {
  const entries = ((await inStore('entries', 'readonly', (rows) => rows.getAll())) ?? []) as PhoneEntry[]
  const found = new Map(entries.map((entry) => [entry.id, entry]))
  const cache = await caches.open(copies)
  for (const request of await cache.keys()) {
    const copy = (await (await cache.match(request))?.json().catch(() => null)) as PhoneEntry | null
    if (!copy) continue
    const stored = found.get(copy.id)
    if (stored?.state === 'received') await cache.delete(request).catch(() => {})
    if (stored) continue
    await inStore('entries', 'readwrite', (rows) => void rows.put(copy, copy.id)).catch(() => {})
    found.set(copy.id, copy)
  }
  const undone = undoneAmong([...found.values()])
  if (undone.length > 0) await removeEntries(undone).catch(() => {})
  for (const id of undone) found.delete(id)
  return [...found.values()].sort((a, b) => (a.deviceAt < b.deviceAt ? -1 : 1))
}

const photoCopies = 'ntalo-collecte-photos'
const photoCopyOf = (sha256: string) => `/collecte/photos/${sha256}`
const aboutHeader = 'ntalo-about'
const aboutOf = (photo: PhonePhoto) => ({ [aboutHeader]: encodeURIComponent(JSON.stringify(photo)) })

/**
 * Stores a new photo twice, like entries, replacing the photo of the same good.
 * @throws when either write fails
 */
export async function storePhoto(photo: PhonePhoto, image: ArrayBuffer): Promise<void> {
  const cache = await caches.open(photoCopies)
  await cache.put(photoCopyOf(photo.sha256), new Response(image, { headers: aboutOf(photo) }))
  try {
    await inStore('photos', 'readwrite', (rows) => void rows.put(image, photo.sha256))
    await updatePhoto(photo)
  } catch (error) {
    // Its first copy would take room, and come back at the next start.
    await removeImage(photo.sha256).catch(() => {})
    throw error
  }
}

/**
 * Stores which entry a stored photo proves. The copy of the photo does not change, like those of entries: its entry is
 * written beside it.
 * @throws when either write fails
 */
export async function storeEntryOfPhoto(photo: PhonePhoto & { entryId: string }): Promise<void> {
  const cache = await caches.open(photoCopies)
  const beside = `${photoCopyOf(photo.sha256)}/${photo.entryId}`
  await cache.put(beside, new Response(null, { headers: aboutOf(photo) }))
  await updatePhoto(photo)
}

/** Stores the changed data of a stored photo. */
export async function updatePhoto(photo: PhonePhoto): Promise<void> {
  await changeSetting<PhonePhoto[]>('photos', (all = []) => [
    ...all.filter((each) => !showsSameGood(each, photo)),
    photo,
  ])
}

/** Returns the bytes of a photo; undefined where both copies are lost. */
export async function readPhoto(sha256: string): Promise<ArrayBuffer | undefined> {
  const stored = await inStore('photos', 'readonly', (rows) => rows.get(sha256))
  if (stored) return stored as ArrayBuffer
  const copy = await (await caches.open(photoCopies)).match(photoCopyOf(sha256))
  return copy?.arrayBuffer()
}

/** Deletes a photo that was received or that the agent discards. */
export async function removePhoto(photo: PhonePhoto): Promise<void> {
  await changeSetting<PhonePhoto[]>('photos', (all = []) =>
    all.filter((each) => each.sha256 !== photo.sha256 || !showsSameGood(each, photo)),
  )
  await removeImage(photo.sha256)
}

/** Deletes the bytes of a photo and their copies, unless another photo has the same. */
async function removeImage(sha256: string): Promise<void> {
  const photos = (await readSetting<PhonePhoto[]>('photos')) ?? []
  if (photos.some((photo) => photo.sha256 === sha256)) return
  const cache = await caches.open(photoCopies)
  for (const request of await cache.keys())
    if (new URL(request.url).pathname.startsWith(photoCopyOf(sha256))) await cache.delete(request)
  await inStore('photos', 'readwrite', (rows) => void rows.delete(sha256))
}

/** Returns the data of the phone's photos; those that the database has lost are restored from their copies. */
export async function loadPhotos(): Promise<PhonePhoto[]> {
  const stored = (await readSetting<PhonePhoto[]>('photos')) ?? []
  const restored = new Map<string, PhonePhoto>()
  const cache = await caches.open(photoCopies)
  // In the order in which they were written: the entry of a photo after the photo.
  for (const request of await cache.keys()) {
    const about = (await cache.match(request))?.headers.get(aboutHeader)
    const photo = about ? (JSON.parse(decodeURIComponent(about)) as PhonePhoto) : null
    if (photo && !stored.some(({ sha256 }) => sha256 === photo.sha256)) restored.set(photo.sha256, photo)
  }
  return [...stored, ...restored.values()]
}
