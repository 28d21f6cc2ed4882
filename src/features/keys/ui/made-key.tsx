import { Copy } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { copyText } from '#web/ui/copy-text.ts'
import { Dialog } from '#web/ui/dialog.tsx'

const words = {
  key: {
    title: 'Votre nouvelle clé',
    copied: 'Clé copiée',
    done: 'J’ai copié la clé',
    asked: 'Copiez-la maintenant\u00a0: elle ne sera plus montrée.',
  },
  webhook: {
    title: 'Secret du webhook',
    copied: 'Secret copié',
    done: 'J’ai copié le secret',
    asked: 'Copiez-le maintenant\u00a0: il ne sera plus montré.',
  },
}

/** A key, or the secret of a webhook, shown only once. */
export function MadeKey({
  of = 'key',
  value,
  onClose,
}: {
  of?: keyof typeof words
  value: string
  onClose: () => void
}) {
  const { title, copied, done, asked } = words[of]
  return (
    <Dialog
      open
      title={title}
      size="sm"
      dismissible={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{done}</Button>
          <Button variant="primary" icon={Copy} onClick={() => void copyText(value, copied)} data-autofocus>
            Copier
          </Button>
        </>
      }
    >
      <p>{asked}</p>
      <p className="mt-3 break-all rounded-md bg-sunken p-3 font-mono text-sm select-all">{value}</p>
    </Dialog>
  )
}
