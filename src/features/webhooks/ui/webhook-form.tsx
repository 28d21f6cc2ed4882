import { useForm } from 'react-hook-form'
import { type Webhook, webhooks } from '#features/webhooks/webhooks.contract.ts'
import { type WebhookEvent, webhookEventNames, webhookEvents } from '#features/webhooks/webhooks.rules.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { CheckboxList } from '#web/forms/checkbox-list.tsx'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { useAction } from '#web/query.ts'
import { TextField } from '#web/ui/inputs.tsx'

type Values = { url: string; events: WebhookEvent[] }
type WebhookFormProps = {
  /** Absent for a new one. */
  webhook?: Webhook | undefined
  /** Called with the secret of a new webhook, which is shown only once. */
  onMade: (secret: string) => void
  onClose: () => void
}

/** The form of a webhook: address and events. */
export function WebhookForm({ webhook, onMade, onClose }: WebhookFormProps) {
  const create = useAction(webhooks.create)
  const update = useAction(webhooks.update)
  const attempt = useAttempt()
  const { register, control, ...form } = useForm<Values>({
    defaultValues: {
      url: webhook?.url ?? '',
      events: webhook?.events ?? ['price.created', 'price.revised', 'price.deleted'],
    },
    shouldFocusError: false,
  })
  const { errors } = form.formState
  return (
    <SaveDialog
      title={webhook ? 'Modifier le webhook' : 'Nouveau webhook'}
      submitLabel={webhook ? 'Enregistrer' : 'Créer le webhook'}
      form={{ register, control, ...form }}
      onSave={async (body: Values) => {
        if (webhook) {
          const { id, updatedAt } = webhook
          return update.mutateAsync({ params: { id }, body: { ...body, updatedAt } })
        }
        onMade((await create.mutateAsync({ body, headers: attempt.headersFor(body) })).secret)
      }}
      onClose={onClose}
    >
      <TextField
        label="Adresse"
        type="url"
        inputMode="url"
        required
        maxLength={500}
        placeholder="https://exemple.cd/ntalo"
        hint={'En https. Elle doit répondre 2xx en 15\u00a0secondes.'}
        error={errors.url?.message}
        {...register('url')}
      />
      <CheckboxList
        control={control}
        name="events"
        label="Ce qu’elle reçoit"
        groups={[
          {
            options: webhookEventNames.map((value) => ({
              value,
              label: webhookEvents[value].label,
              hint: value,
            })),
          },
        ]}
      />
    </SaveDialog>
  )
}
