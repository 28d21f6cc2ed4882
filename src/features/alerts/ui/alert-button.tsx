import { BellPlus } from 'lucide-react'
import { useState } from 'react'
import { AlertForm } from '#features/alerts/ui/alert-form.tsx'
import { Button } from '#web/ui/button.tsx'

type AlertButtonProps = {
  product: { id: number; name: string; weight: string }
  market: { id: number; name: string; location: string } | null
}

/** Opens the form of an alert on this price. */
export function AlertButton({ product, market }: AlertButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={BellPlus} onClick={() => setOpen(true)}>
        M’alerter
      </Button>
      {isOpen && <AlertForm product={product} market={market} onClose={() => setOpen(false)} />}
    </>
  )
}
