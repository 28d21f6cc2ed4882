import { type PhoneState, phoneState } from '#features/collection/phone/ui/phone-state.ts'
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
export function PhotoList({ state: { photos, agentId } }: { state: PhoneState }) {
  const own = photos.filter((photo) => photo.agentId === agentId)
  if (own.length === 0) return null
  return (
    <>
      <h2>Photos</h2>
      <ul className="rows">
        {own.map((photo) => (
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
