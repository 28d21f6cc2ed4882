import { type FieldState, fieldState } from '#features/collection/phone/ui/field-store.ts'
import { dropPhoto, type PhotoPlace, photoOf, takePhoto } from '#features/collection/phone/ui/photos.ts'

/** A photo of the price tag, without anybody in it: before the price or after. */
export function PhotoButton({ place }: { place: PhotoPlace }) {
  const hasPhoto = photoOf(fieldState(), place) !== undefined
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

/** The photos that are still to leave; what the server refused, its agent takes out. */
export function PhotoList({ state: { photos, agentId } }: { state: FieldState }) {
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
