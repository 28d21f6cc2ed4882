import type { photosOfPrice } from '#features/prices/photos/photos.contract.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { formatDateTime } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { useUser } from '#web/session.ts'

/** The agent's photos that prove a price, for users who check prices; empty where there is none. */
export function PricePhotos({ priceId }: { priceId: number }) {
  const { permissions } = useUser()
  const answer = useAnswer<typeof photosOfPrice>(
    priceAddresses.photos,
    { params: { id: priceId } },
    { enabled: permissions.includes('collection.read') },
  )
  if (answer.error && !answer.data)
    return <LoadFailure compact title="Erreur lors du chargement des photos" answer={answer} />
  return (
    <>
      {answer.data?.data.map(({ sha256, image, receivedAt }) => (
        <figure key={sha256} className="max-w-md">
          <img src={image} alt="Prix affiché au marché" className="max-h-96 rounded-md border border-line" />
          <figcaption className="mt-1 text-xs text-ink-soft">
            {`Photo de l’agent, reçue le ${formatDateTime(receivedAt)}`}
          </figcaption>
        </figure>
      ))}
    </>
  )
}
