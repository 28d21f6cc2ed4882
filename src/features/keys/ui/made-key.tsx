import { Copy } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'

const words = {
  key: {
    title: 'Votre nouvelle clé',
    copied: 'Clé copiée',
    done: 'J’ai copié la clé',
    it: 'la clé',
    is: 'la',
    shown: 'elle ne sera plus montrée',
  },
  webhook: {
    title: 'Secret du webhook',
    copied: 'Secret copié',
    done: 'J’ai copié le secret',
    it: 'le secret',
    is: 'le',
    shown: 'il ne sera plus montré',
  },
}

/** A key, or the secret of a webhook, shown this once. */
export function MadeKey({
  of = 'key',
  value,
  onClose,
}: {
  of?: keyof typeof words
  value: string
  onClose: () => void
}) {
  const { title, copied, done, it, is, shown } = words[of]
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      toast.success(copied)
    } catch {
      toast.error(`Copie impossible\u00a0: sélectionnez ${it}, puis copiez-${is}.`)
    }
  }
  return (
    <Dialog
      open
      title={title}
      size="sm"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{done}</Button>
          <Button variant="primary" icon={Copy} onClick={copy} data-autofocus>
            Copier
          </Button>
        </>
      }
    >
      <p>{`Copiez-${is} maintenant\u00a0: ${shown}.`}</p>
      <p className="mt-3 break-all rounded-md bg-sunken p-3 font-mono text-sm select-all">{value}</p>
    </Dialog>
  )
}
