import { Copy, ExternalLink, Share2 } from 'lucide-react'
import { useState } from 'react'
import { shareAddresses } from '#features/shares/shares.addresses.ts'
import type { shares } from '#features/shares/shares.contract.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { useAction } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { copyText } from '#web/ui/copy-text.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Checkbox } from '#web/ui/inputs.tsx'

type ShareButtonProps = {
  /** The shared page of the application, with its filters. */
  path: string
  search?: string
  /** The text sent with the address: the price and its day. */
  text: string
  variant?: 'ghost'
}

/** Creates a public link and shares it. */
export function ShareButton({ variant, ...shared }: ShareButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant={variant} icon={Share2} onClick={() => setOpen(true)}>
        Partager
      </Button>
      {isOpen && <ShareDialog {...shared} onClose={() => setOpen(false)} />}
    </>
  )
}

type ShareDialogProps = Omit<ShareButtonProps, 'variant'> & { onClose: () => void }

function ShareDialog({ path, search = '', text, onClose }: ShareDialogProps) {
  const create = useAction<typeof shares.create>(shareAddresses.create)
  const attempt = useAttempt()
  const [isFrozen, setFrozen] = useState(false)
  const body = { path, search, isFrozen }
  const made = create.data
  return (
    <Dialog
      open
      title={path.startsWith('/series/') ? 'Partager ce prix' : 'Partager cette page'}
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
              onClick={() => create.mutate({ body, headers: attempt.headersFor(body) })}
            >
              Créer l’adresse
            </Button>
          )}
        </>
      }
    >
      {made ? (
        <Made url={made.url} text={text} />
      ) : (
        <div className="space-y-3">
          <p>
            Une page que chacun lit sans compte&nbsp;: les chiffres, leur évolution et leur source, sans les
            relevés. Vous la retirez quand vous voulez, dans «&#8239;Mes partages&#8239;».
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
  const frame = frameOf(url, text)
  return (
    <div className="space-y-4">
      <p className="rounded-md bg-sunken p-3 text-sm wrap-anywhere select-all">{url}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" icon={Copy} onClick={() => copyText(url, 'Adresse copiée')}>
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
        <Button variant="ghost" icon={Copy} className="mt-2" onClick={() => copyText(frame, 'Code copié')}>
          Copier le code
        </Button>
      </details>
    </div>
  )
}

/** Builds the HTML of a frame that adapts to the height sent by its content; without scripts its height is fixed. */
function frameOf(url: string, text: string): string {
  const title = text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return [
    `<iframe src="${url}/embed" title="${title}" width="100%" height="520" loading="lazy" style="border:0"></iframe>`,
    `<script>addEventListener('message',e=>{for(const f of document.querySelectorAll('iframe[src^="${url}/"]'))if(f.contentWindow===e.source&&e.data?.['ntalo-height']>0)f.height=e.data['ntalo-height']})</script>`,
  ].join('\n')
}
