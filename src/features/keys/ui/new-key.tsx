import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { keys } from '#features/keys/keys.contract.ts'
import { mayGive, scopeWords } from '#features/keys/keys.rules.ts'
import { dayMs } from '#shared/days.ts'
import { type Scope, scopeNames } from '#shared/permissions.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { CheckboxList } from '#web/forms/checkbox-list.tsx'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { useAction } from '#web/query.ts'
import { useUser } from '#web/session.ts'
import { TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

const ends = [
  { value: '', label: 'Sans fin' },
  { value: '30', label: '30 jours' },
  { value: '90', label: '90 jours' },
  { value: '365', label: 'Un an' },
]
type Values = { name: string; scopes: Scope[]; days: string }

/** The form of a new key. @param onMade called with the key, which is shown only once */
export function NewKey({ onMade, onClose }: { onMade: (key: string) => void; onClose: () => void }) {
  const { permissions } = useUser()
  const create = useAction(keys.create)
  const attempt = useAttempt()
  // The end is counted from here, so that a retry sends the same content.
  const [openedAt] = useState(Date.now)
  const { register, control, ...form } = useForm<Values>({
    defaultValues: {
      name: '',
      scopes: (['prices.read', 'statistics.read', 'catalogue.read', 'markets.read'] as const).filter(
        (scope) => permissions.includes(scope),
      ),
      days: '',
    },
    shouldFocusError: false,
  })
  const { errors } = form.formState
  return (
    <SaveDialog
      title="Nouvelle clé"
      submitLabel="Créer la clé"
      form={{ register, control, ...form }}
      onSave={async ({ name, scopes, days }: Values) => {
        const expiresAt = days ? new Date(openedAt + Number(days) * dayMs).toISOString() : null
        const body = { name, scopes, expiresAt }
        const { key } = await create.mutateAsync({ body, headers: attempt.headersFor(body) })
        onMade(key)
      }}
      onClose={onClose}
    >
      <TextField
        label="Nom"
        required
        maxLength={100}
        hint={'Où elle sert\u00a0: «\u202fTableur des achats\u202f»'}
        error={errors.name?.message}
        {...register('name')}
      />
      <CheckboxList
        control={control}
        name="scopes"
        label="Ce qu’elle peut faire"
        groups={[
          {
            options: scopeNames
              .filter((scope) => mayGive(permissions, scope))
              .map((value) => ({ value, label: scopeWords[value] })),
          },
        ]}
      />
      <SelectField label="Durée" options={ends} error={errors.days?.message} {...register('days')} />
    </SaveDialog>
  )
}
