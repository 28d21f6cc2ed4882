import { Copy } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'

/** A key, shown this once. */
export function MadeKey({ value, onClose }: { value: string; onClose: () => void }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      toast.success('Clé copiée')
    } catch {
      toast.error('Copie impossible\u00a0: sélectionnez la clé, puis copiez-la.')
    }
  }
  return (
    <Dialog
      open
      title="Votre nouvelle clé"
      size="sm"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>J’ai copié la clé</Button>
          <Button variant="primary" icon={Copy} onClick={copy} data-autofocus>
            Copier
          </Button>
        </>
      }
    >
      <p>Copiez-la maintenant{'\u00a0'}: elle ne sera plus montrée.</p>
      <p className="mt-3 break-all rounded-md bg-sunken p-3 font-mono text-sm select-all">{value}</p>
    </Dialog>
  )
}
