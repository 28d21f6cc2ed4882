import { useState } from 'react'
import { plans } from '#features/plans/plans.contract.ts'
import { planPriceText } from '#features/plans/ui/plan-cards.tsx'
import { cancelReasonOptions, heldSubscription } from '#features/subscriptions/changes/changes.contract.ts'
import type { Subscription } from '#features/subscriptions/subscriptions.contract.ts'
import { formatDate } from '#web/format.ts'
import { statementOf, useAction, useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'
import { TextareaField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

type HeldProps = {
  /** The last current or future period of the user. */
  last: Subscription
}

/** The changes open to a subscriber: the plan that follows, and cancelling the renewal. */
export function ChangeButtons({ last }: HeldProps) {
  const [open, setOpen] = useState<'cancel' | 'plan' | null>(null)
  const close = () => setOpen(null)
  if (last.canceledAt) return <UndoButton />
  return (
    <>
      {last.status === 'ACTIVE' && <Button onClick={() => setOpen('plan')}>Plan suivant</Button>}
      <Button onClick={() => setOpen('cancel')}>Résilier</Button>
      {open === 'cancel' && <CancelDialog last={last} onClose={close} />}
      {open === 'plan' && <NextPlanDialog last={last} onClose={close} />}
    </>
  )
}

/** The subscriber's choice for the time after the end. */
export function ChangeNotice({ last: { canceledAt, nextPlan, endDate } }: HeldProps) {
  if (!canceledAt && !nextPlan) return null
  return (
    <p role="status" className="mb-4 rounded-md bg-amber-soft px-4 py-3 text-amber">
      {canceledAt
        ? `Résilié\u00a0: votre accès reste ouvert jusqu’au ${formatDate(endDate)}, et rien ne vous sera proposé ensuite.`
        : `À partir du ${formatDate(endDate)}\u00a0: «\u202f${nextPlan?.name}\u202f», proposé au renouvellement.`}
    </p>
  )
}

function UndoButton() {
  const resume = useAction(heldSubscription.resume)
  return (
    <>
      {resume.error && <ErrorNote>{statementOf(resume.error)}</ErrorNote>}
      <Button busy={resume.isPending} onClick={() => resume.mutate({})}>
        Annuler la résiliation
      </Button>
    </>
  )
}

function CancelDialog({ last, onClose }: HeldProps & { onClose: () => void }) {
  const [reason, setReason] = useState('')
  const [note, setNote] = useState('')
  const cancel = useAction(heldSubscription.cancel, { onDone: onClose })
  return (
    <Dialog
      open
      size="sm"
      title="Résilier l’abonnement"
      submitLabel="Résilier"
      cancelLabel="Garder l’abonnement"
      tone="danger"
      busy={cancel.isPending}
      error={cancel.error && statementOf(cancel.error)}
      submitDisabled={reason === ''}
      dirty={reason !== '' || note !== ''}
      onSubmit={() => cancel.mutate({ body: { reason, note } })}
      onClose={onClose}
    >
      <p className="mb-4">
        {`Ce qui est payé reste à vous\u00a0: l’accès est ouvert jusqu’au ${formatDate(last.endDate)}. Jusque-là, vous pouvez revenir sur cette décision.`}
      </p>
      <div className="space-y-4">
        <SelectField
          label="Motif"
          required
          placeholder="Choisissez un motif"
          options={cancelReasonOptions}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <TextareaField
          label={'Que pourrions-nous faire mieux\u202f?'}
          rows={3}
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </div>
    </Dialog>
  )
}

function NextPlanDialog({ last, onClose }: HeldProps & { onClose: () => void }) {
  const answer = useAnswer(plans.list, { query: { isActive: true, limit: 100 } })
  const [chosen, setChosen] = useState(String(last.nextPlan?.id ?? last.planId ?? ''))
  const choose = useAction(heldSubscription.choosePlan, { onDone: onClose })
  const offered = answer.data?.plans.filter(({ price }) => price > 0) ?? []
  // The present plan may be withdrawn from sale: the browser would show the first option as chosen.
  const planId = offered.some(({ id }) => String(id) === chosen) ? chosen : ''
  return (
    <Dialog
      open
      size="sm"
      title="Plan suivant"
      busy={choose.isPending}
      error={choose.error && statementOf(choose.error)}
      submitDisabled={planId === ''}
      onSubmit={() =>
        choose.mutate({ body: { planId: Number(planId) === last.planId ? null : Number(planId) } })
      }
      onClose={onClose}
    >
      <p className="mb-4">
        {`Ce plan commence le ${formatDate(last.endDate)}, au terme de ce que vous avez payé. Rien n’est débité maintenant.`}
      </p>
      <SelectField
        label="Plan"
        required
        placeholder="Choisissez un plan"
        options={offered.map((plan) => ({ value: plan.id, label: `${plan.name}, ${planPriceText(plan)}` }))}
        value={planId}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
    </Dialog>
  )
}
