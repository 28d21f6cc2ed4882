import { Copy, ExternalLink, Share2 } from 'lucide-react'
import { useState } from 'react'
import { shareAddresses } from '#features/shares/shares.addresses.ts'
import type { shares } from '#features/shares/shares.contract.ts'
import { useAction } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Checkbox } from '#web/ui/inputs.tsx'
import { toast } from '#web/ui/toast.ts'

type ShareButtonProps = {
  /** The page of the program that is shared. */
  path: string
  /** What is sent with the address: the price, its day. */
  text: string
}

/** Makes an address that anybody reads without an account, and sends it. */
export function ShareButton({ path, text }: ShareButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={Share2} onClick={() => setOpen(true)}>
        Partager
      </Button>
      {isOpen && <ShareDialog path={path} text={text} onClose={() => setOpen(false)} />}
    </>
  )
}

function ShareDialog({ path, text, onClose }: ShareButtonProps & { onClose: () => void }) {
  const create = useAction<typeof shares.create>(shareAddresses.create)
  const [isFrozen, setFrozen] = useState(false)
  const made = create.data
  return (
    <Dialog
      open
      title="Partager ce prix"
      size="sm"
      onClose={onClose}
      error={create.error?.message}
      footer={
        <>
          <Button onClick={onClose}>{made ? 'Fermer' : 'Annuler'}</Button>
          {!made && (
            <Button
              variant="primary"
              busy={create.isPending}
              onClick={() => create.mutate({ body: { path, search: '', isFrozen } })}
            >
              Créer l’adresse
            </Button>
          )}
        </>
      }
    >
      {made ? (
        <Made url={new URL(made.url, location.origin).href} text={text} />
      ) : (
        <div className="space-y-3">
          <p>
            Une page que chacun lit sans compte&nbsp;: le prix, son âge, son évolution et sa source, sans les
            relevés.
          </p>
          <Checkbox
            label="Figer les chiffres d’aujourd’hui"
            checked={isFrozen}
            onChange={({ target }) => setFrozen(target.checked)}
          />
        </div>
      )}
    </Dialog>
  )
}

function Made({ url, text }: { url: string; text: string }) {
  const message = `${text}\n${url}`
  const frame = `<iframe src="${url}/embed" title="${text.replaceAll('"', '&quot;')}" width="100%" height="520" loading="lazy" style="border:0"></iframe>`
  return (
    <div className="space-y-4">
      <p className="rounded-md bg-sunken p-3 text-sm wrap-anywhere select-all">{url}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" icon={Copy} onClick={() => copy(url, 'Adresse copiée')}>
          Copier l’adresse
        </Button>
        <a
          href={`https://wa.me/?text=${encodeURIComponent(message)}`}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass()}
        >
          WhatsApp
        </a>
        {typeof navigator.share === 'function' && (
          <Button icon={Share2} onClick={() => void navigator.share({ text, url }).catch(() => null)}>
            Envoyer…
          </Button>
        )}
        <a href={url} target="_blank" rel="noopener" className={buttonClass('ghost')}>
          <ExternalLink className="size-4" aria-hidden />
          Ouvrir
        </a>
      </div>
      <details>
        <summary className="cursor-pointer py-2 font-medium">Intégrer à un site</summary>
        <p className="rounded-md bg-sunken p-3 font-mono text-xs wrap-anywhere select-all">{frame}</p>
        <Button variant="ghost" icon={Copy} className="mt-2" onClick={() => copy(frame, 'Code copié')}>
          Copier le code
        </Button>
      </details>
    </div>
  )
}

async function copy(text: string, done: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.error('Copie impossible\u00a0: sélectionnez le texte, puis copiez-le.')
  }
}
