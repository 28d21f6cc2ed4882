import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { channels } from '#features/channels/channels.contract.ts'
import { channelLabels, proofMinutes } from '#features/channels/channels.rules.ts'
import { call } from '#web/api.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.ts'

/** Interval of checks whether the link was opened. */
const pauseMs = 3_000

type LinkDialogProps = { channel: 'telegram' | 'whatsapp'; onClose: () => void }

/** The link that the owner opens in the application, here or by scanning it with a phone; closes once it was used. */
export function LinkDialog({ channel, onClose }: LinkDialogProps) {
  const label = channelLabels[channel]
  const link = useQuery({
    queryKey: [channels.link.path, channel],
    queryFn: ({ signal }) => call(channels.link, { body: { channel }, signal }),
    // Each request creates a new link, so none is made while this one is valid.
    staleTime: proofMinutes * 60_000,
    gcTime: 0,
    refetchOnReconnect: false,
  })
  const list = useAnswer(channels.list, {}, { staleTimeMs: 0, pauseMs: () => pauseMs })
  const isLinked = list.data?.data.some((each) => each.channel === channel && each.state === 'confirmed')
  const finish = useEffectEvent(() => {
    toast.success(`${label} est relié`)
    onClose()
  })
  useEffect(() => {
    if (isLinked) finish()
  }, [isLinked])
  const { url } = link.data ?? {}
  return (
    <Dialog
      open
      size="sm"
      title={`Relier ${label}`}
      description={`Ouvrez le lien, puis envoyez le message qu’il prépare. Il vaut ${proofMinutes}\u00a0minutes.`}
      onClose={onClose}
      footer={<Button onClick={onClose}>Fermer</Button>}
    >
      {link.error && <LoadFailure compact title="Erreur lors de la préparation du lien" answer={link} />}
      {link.isPending && <Skeleton className="h-48 w-full" />}
      {url && (
        <div className="space-y-4">
          <a href={url} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
            {`Ouvrir ${label}`}
          </a>
          <p className="max-sm:hidden">Ou photographiez ce code avec votre téléphone&nbsp;:</p>
          <div className="max-sm:hidden">
            <QrCode text={url} label={`Lien pour relier ${label}`} />
          </div>
          <p role="status" className="text-sm text-ink-soft">
            {link.isStale ? 'Ce lien a expiré.' : 'En attente de votre message…'}
          </p>
          {link.isStale && (
            <Button busy={link.isFetching} onClick={() => void link.refetch()}>
              Préparer un autre lien
            </Button>
          )}
        </div>
      )}
    </Dialog>
  )
}
