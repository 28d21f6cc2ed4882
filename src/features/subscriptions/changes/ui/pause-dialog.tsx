import { useState } from 'react'
import { subscriptionPause } from '#features/subscriptions/changes/changes.contract.ts'
import type { Subscription } from '#features/subscriptions/subscriptions.contract.ts'
import { formatDate } from '#web/format.ts'
import { statementOf, useAction } from '#web/query.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/inputs.tsx'

/** Pauses a subscriber's periods with a reason, or resumes them. */
export function PauseDialog({ row, onClose }: { row: Subscription; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const begin = useAction(subscriptionPause.begin, { onDone: onClose })
  const end = useAction(subscriptionPause.end, { onDone: onClose })
  const isPaused = row.status === 'PAUSED'
  const { isPending, error } = isPaused ? end : begin
  const params = { id: row.id }
  return (
    <Dialog
      open
      size="sm"
      title={isPaused ? 'Reprendre l’abonnement' : 'Mettre l’abonnement en pause'}
      submitLabel={isPaused ? 'Reprendre' : 'Mettre en pause'}
      busy={isPending}
      dirty={reason !== ''}
      error={error && statementOf(error)}
      submitDisabled={!isPaused && reason.trim() === ''}
      onSubmit={() => (isPaused ? end.mutate({ params }) : begin.mutate({ params, body: { reason } }))}
      onClose={onClose}
    >
      {isPaused ? (
        <p>
          {`En pause depuis le ${row.pausedAt ? formatDate(row.pausedAt) : '–'}\u00a0: ${row.pauseReason ?? ''}. Les jours qui restaient à ${row.user.name} reprennent aujourd’hui, ou après ce qui a été payé entre-temps.`}
        </p>
      ) : (
        <>
          <p className="mb-4">
            {`L’accès de ${row.user.name} se ferme aussitôt, et tout ce qu’il a payé d’avance attend avec. Ses jours reprennent à la fin de la pause.`}
          </p>
          <TextField
            label="Motif"
            required
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </>
      )}
    </Dialog>
  )
}
