import type { PhonePhoto } from '#features/collection/phone/phone.rules.ts'
import { phoneState } from '#features/collection/phone/ui/phone-state.ts'
import { dropPhoto, type PhotoPlace, photoOf, takePhoto } from '#features/collection/phone/ui/photos.ts'

/** Takes a photo of the price tag, without people in it, before or after the price is entered. */
export function PhotoButton({ place }: { place: PhotoPlace }) {
  const hasPhoto = photoOf(phoneState(), place) !== undefined
  return (
    <button
      type="button"
      aria-label={hasPhoto ? undefined : 'Photo du prix, sans personne dans l’image'}
      onClick={() => takePhoto(place)}
    >
      {hasPhoto ? 'Photo ✓' : 'Photo'}
    </button>
  )
}

/** The photos not sent yet; the agent removes those that the server refused. */
export function PhotoList({ photos }: { photos: readonly PhonePhoto[] }) {
  if (photos.length === 0) return null
  return (
    <>
      <h2>Photos</h2>
      <ul className="rows">
        {photos.map((photo) => (
          <li key={`${photo.visit} ${photo.good}`}>
            <p>
              <strong>{photo.label}</strong>
              <small className={photo.message ? 'alerting' : undefined}>
                {photo.message ?? 'gardée ici, part après son prix'}
              </small>
            </p>
            <button type="button" onClick={() => void dropPhoto(photo)}>
              Retirer la photo
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
