import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import {
  keyOfGood,
  type PhoneEntry,
  type PhonePhoto,
  showsSameGood,
} from '#features/collection/phone/phone.rules.ts'
import {
  readPhoto,
  removePhoto,
  storeEntryOfPhoto,
  storePhoto,
  updatePhoto,
} from '#features/collection/phone/ui/database.ts'
import type { PhoneAgent } from '#features/collection/phone/ui/device.ts'
import { exchangeAs } from '#features/collection/phone/ui/device.ts'
import {
  noRoom,
  type PhoneState,
  phoneState,
  setPhoneState,
} from '#features/collection/phone/ui/phone-state.ts'
import type { sendPhoto } from '#features/collection/photos/photos.contract.ts'
import { ApiError } from '#web/api.ts'

/** The subject of a photo: a good of a visit, or a returned price. */
export type PhotoPlace = Pick<PhonePhoto, 'visit' | 'good' | 'label'>

const widthPx = 1024
const mostBytes = 200_000

// Kept in a variable: a browser may discard an unreferenced input while the camera is open.
let input: HTMLInputElement | undefined

/** Opens the camera, and stores the photo on the phone, replacing the previous one. */
export function takePhoto(place: PhotoPlace): void {
  input = document.createElement('input')
  input.type = 'file'
  input.accept = 'image/*'
  input.setAttribute('capture', 'environment')
  input.onchange = () => {
    const file = input?.files?.[0]
    if (file) void keepPhoto(place, file)
  }
  input.click()
}

async function keepPhoto(place: PhotoPlace, file: File): Promise<void> {
  const { agentId } = phoneState()
  if (agentId === null) return
  let image: ArrayBuffer
  try {
    image = await shrinkPhoto(file)
  } catch {
    setPhoneState({ failure: 'Cette photo ne peut pas être lue. Prenez-en une autre.' })
    return
  }
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', image))
  const sha256 = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const photo: PhonePhoto = { ...place, agentId, sha256, entryId: null, message: null }
  const former = photoOf(phoneState(), place)
  try {
    await storePhoto({ ...photo, entryId: entryOf(photo)?.id ?? null }, image)
  } catch {
    setPhoneState({ failure: noRoom })
    return
  }
  // The new photo counts even if the phone is too full to delete the former.
  if (former && former.sha256 !== sha256) await removePhoto(former).catch(() => {})
  const others = phoneState().photos.filter((each) => !showsSameGood(each, photo))
  setPhoneState({ photos: [...others, { ...photo, entryId: entryOf(photo)?.id ?? null }], failure: null })
}

/** Returns a JPEG small enough to send over 2G in a minute, without the camera's metadata: place, hour, device. */
async function shrinkPhoto(file: File): Promise<ArrayBuffer> {
  // Decoded directly at the target size: a picture of 48 million pixels would take 235 MB.
  const bitmap = await createImageBitmap(file, { resizeWidth: widthPx, resizeQuality: 'medium' })
  const canvas = document.createElement('canvas')
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  for (const quality of [0.7, 0.5, 0.3, 0.1]) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
    if (blob && blob.size <= mostBytes) return blob.arrayBuffer()
  }
  throw new Error('the picture stays too large')
}

/** Returns the unsent photo of a good of a visit. */
export function photoOf(
  { photos, agentId }: PhoneState,
  { visit, good }: Omit<PhotoPlace, 'label'>,
): PhonePhoto | undefined {
  return photos.find((photo) => showsSameGood(photo, { visit, good, agentId }))
}

/** Binds the photo of a good, if there is one, to its new entry as proof; an entry without a price discards it. */
export async function bindPhoto(place: Omit<PhotoPlace, 'label'>, entry: PhoneEntry): Promise<void> {
  const photo = photoOf(phoneState(), place)
  if (!photo) return
  if (entry.kind === 'absent' || entry.kind === 'withdrawn') return dropPhoto(photo)
  const bound = { ...photo, entryId: entry.id, message: null }
  replacePhoto(bound)
  await storeEntryOfPhoto(bound).catch(() => setPhoneState({ failure: noRoom }))
}

/** Deletes a photo; where the phone is full, it stays. */
export async function dropPhoto(photo: PhonePhoto): Promise<void> {
  setPhoneState({ photos: phoneState().photos.filter((each) => !isOnPhone(each, photo)) })
  await removePhoto(photo).catch(() =>
    setPhoneState({ photos: [...phoneState().photos, photo], failure: noRoom }),
  )
}

function replacePhoto(photo: PhonePhoto): void {
  setPhoneState({ photos: phoneState().photos.map((each) => (isOnPhone(each, photo) ? photo : each)) })
}

/** Whether a photo of the phone is this one, and not another that the agent took of the same good meanwhile. */
const isOnPhone = (each: PhonePhoto, photo: PhonePhoto) =>
  showsSameGood(each, photo) && each.sha256 === photo.sha256

/**
 * Returns the entry that a photo proves: the one it is bound to, or the last of its good where the phone stopped before
 * binding it.
 */
function entryOf({ entryId, visit, good, agentId }: PhonePhoto): PhoneEntry | undefined {
  const { entries } = phoneState()
  return (
    entries.find(({ id }) => id === entryId) ??
    entries.findLast(
      (entry) =>
        visit !== '' && entry.visit === visit && entry.agentId === agentId && keyOfGood(entry) === good,
    )
  )
}

/**
 * Sends the photos of received prices, one after the other; sending one twice has no effect.
 * @param sendPrices called before each photo: one may take a minute, and prices are worth more
 */
export async function sendPhotos(agent: PhoneAgent, sendPrices: () => Promise<void>): Promise<void> {
  const tried = new Set<PhonePhoto>()
  for (;;) {
    await sendPrices()
    const photo = phoneState().photos.find(
      (each) => each.agentId === agent.userId && each.message === null && !tried.has(each),
    )
    if (!photo) return
    tried.add(photo)
    const entry = entryOf(photo)
    // No entry means that the database was lost after the entry was sent: the server knows whether it was received.
    const entryId = entry?.id ?? photo.entryId
    if (!entryId || (entry && entry.state !== 'received')) continue
    const image = await readPhoto(photo.sha256)
    if (!image) await dropPhoto(photo)
    else await sendOne(agent, photo, entryId, image)
  }
}

async function sendOne(
  agent: PhoneAgent,
  photo: PhonePhoto,
  entryId: string,
  image: ArrayBuffer,
): Promise<void> {
  const { sha256 } = photo
  const body = new FormData()
  body.set('entryId', entryId)
  body.set('image', new Blob([image], { type: 'image/jpeg' }), 'photo.jpg')
  try {
    const answer = await exchangeAs<typeof sendPhoto>(agent.userId, collectionAddresses.photo, {
      params: { sha256 },
      body,
    })
    // The response of a captive portal is no receipt.
    if (Object(answer).sha256 !== sha256) throw new ApiError(500, 'Erreur réseau')
    await dropPhoto(photo)
  } catch (error) {
    const isRefused = error instanceof ApiError && [400, 404, 409, 413, 422].includes(error.status)
    if (!isRefused) throw error
    // The agent took another photo meanwhile.
    if (!phoneState().photos.some((each) => isOnPhone(each, photo))) return
    const refused = { ...photo, message: error.message }
    await updatePhoto(refused)
    replacePhoto(refused)
  }
}
