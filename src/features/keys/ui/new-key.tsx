import { Copy } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { keys } from '#features/keys/keys.contract.ts'
import { scopeWords } from '#features/keys/keys.rules.ts'
import { scopeNames } from '#shared/permissions.ts'
import { CheckboxList } from '#web/forms/checkbox-list.tsx'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { useAction } from '#web/query.ts'
import { useUser } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { toast } from '#web/ui/toast.ts'

const ends = [
  { value: '', label: 'Sans fin' },
  { value: '30', label: '30 jours' },
  { value: '90', label: '90 jours' },
  { value: '365', label: 'Un an' },
]
type Scope = (typeof scopeNames)[number]
type Values = { name: string; scopes: Scope[]; days: string }

/** Makes a key, then shows it this once. */
export function NewKey({ onMade, onClose }: { onMade: () => Promise<unknown>; onClose: () => void }) {
  const { permissions } = useUser()
  const create = useAction(keys.create)
  const [made, setMade] = useState<string | null>(null)
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
  if (made) return <MadeKey value={made} onClose={onClose} />
  return (
    <SaveDialog
      title="Nouvelle clé"
      submitLabel="Créer la clé"
      form={{ register, control, ...form }}
      onSave={async ({ name, scopes, days }: Values) => {
        const expiresAt = days ? new Date(Date.now() + Number(days) * 86_400_000).toISOString() : null
        const { key } = await create.mutateAsync({ body: { name, scopes, expiresAt } })
        await onMade()
        setMade(key)
      }}
      // Saved, the dialog stays: it shows the key.
      onClose={() => !create.isSuccess && onClose()}
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
              .filter((scope) => permissions.includes(scope))
              .map((value) => ({ value, label: scopeWords[value] })),
          },
        ]}
      />
      <SelectField label="Durée" options={ends} error={errors.days?.message} {...register('days')} />
    </SaveDialog>
  )
}

function MadeKey({ value, onClose }: { value: string; onClose: () => void }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      toast.success('Clé copiée')
    } catch {
      toast.error('Copie impossible\u00a0: sélectionnez la clé, puis copiez-la.')
    }
  }
  return (
    <Dialog
      open
      title="Votre nouvelle clé"
      size="sm"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>J’ai copié la clé</Button>
          <Button variant="primary" icon={Copy} onClick={copy} data-autofocus>
            Copier
          </Button>
        </>
      }
    >
      <p>Copiez-la maintenant{'\u00a0'}: elle ne sera plus montrée.</p>
      <p className="mt-3 break-all rounded-md bg-sunken p-3 font-mono text-sm select-all">{value}</p>
    </Dialog>
  )
}
