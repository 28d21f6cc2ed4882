import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useImportKinds } from '#features/imports/ui/kinds.ts'
import { cancelUpload, dismissUpload, startUpload, useUpload } from '#features/imports/ui/uploads.ts'
import type { ImportKind } from '#features/mappings/kinds.contract.ts'
import { formatNumber } from '#web/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DropZone } from '#web/ui/drop-zone.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { toast } from '#web/ui/toast.ts'

/** The form to send a file. Once received it is checked at once, and its page opens, unless the user has left. */
export function UploadCard({ kind }: { kind: ImportKind }) {
  const { hint, accept } = useImportKinds()[kind]
  const upload = useUpload()
  const navigate = useNavigate()
  const client = useQueryClient()
  const isHere = useIsMounted()

  async function send(file: File): Promise<void> {
    const id = await startUpload(file, kind)
    if (id === null) return
    void client.invalidateQueries()
    const show = () => void navigate({ to: '/prices/imports/$id', params: { id: String(id) } })
    if (isHere.current) show()
    else
      toast.success('Le fichier est reçu. Il est essayé à blanc.', file.name, {
        action: { label: 'Voir', onSelect: show },
      })
  }

  if (upload && upload.fault === null) {
    const { fileName, share } = upload
    return (
      <Card>
        <div className="space-y-3">
          <p className="font-medium wrap-anywhere" role="status">{`Envoi de ${fileName}`}</p>
          <ProgressBar label={`Envoi de ${fileName}`} share={share} />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-ink-soft tabular-nums">
              {share < 1
                ? `${formatNumber(Math.floor(share * 100))}\u00a0% envoyés`
                : 'Vérification de l’envoi…'}
              {'. Vous pouvez ouvrir d’autres pages\u202f; gardez cet onglet ouvert.'}
            </p>
            <Button onClick={cancelUpload}>Annuler l’envoi</Button>
          </div>
        </div>
      </Card>
    )
  }
  return (
    <div className="space-y-3">
      {upload && (
        <div className="flex flex-wrap items-center gap-3">
          <ErrorNote className="min-w-0 flex-1">{`${upload.fileName}\u00a0: ${upload.fault}`}</ErrorNote>
          <Button variant="ghost" onClick={dismissUpload}>
            Fermer
          </Button>
        </div>
      )}
      <DropZone
        label="Choisir un fichier ou le déposer ici"
        hint={hint}
        accept={accept}
        onFile={(file) => void send(file)}
      />
    </div>
  )
}

function useIsMounted() {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}
