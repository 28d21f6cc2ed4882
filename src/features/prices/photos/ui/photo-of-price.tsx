import { Camera } from 'lucide-react'
import { useState } from 'react'
import { PricePhotos } from '#features/prices/photos/ui/price-photos.tsx'
import { useUser } from '#web/session.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** Opens the agent's photos of a price; shown only to users who check prices. @param name of the product */
export function PhotoOfPrice({ priceId, name }: { priceId: number; name: string }) {
  const [isOpen, setOpen] = useState(false)
  const { permissions } = useUser()
  if (!permissions.includes('collection.read')) return null
  return (
    <>
      <IconButton icon={Camera} label={`Voir la photo du prix de ${name}`} onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog
          open
          title="Photo du prix"
          description={name}
          cancelLabel="Fermer"
          onClose={() => setOpen(false)}
        >
          <PricePhotos priceId={priceId} />
        </Dialog>
      )}
    </>
  )
}
