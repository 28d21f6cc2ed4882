import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { channels } from '#features/channels/channels.contract.ts'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { useAction } from '#web/query.ts'
import { TextField } from '#web/ui/inputs.tsx'

/** A number, then the code sent to it. */
export function PhoneDialog({ onClose }: { onClose: () => void }) {
  const [phone, setPhone] = useState<string | null>(null)
  return phone === null ? (
    <NumberDialog onSent={setPhone} onClose={onClose} />
  ) : (
    <CodeDialog phone={phone} onClose={onClose} />
  )
}

function NumberDialog({ onSent, onClose }: { onSent: (phone: string) => void; onClose: () => void }) {
  const { register, ...form } = useForm({ defaultValues: { phone: '' }, shouldFocusError: false })
  const { mutateAsync: ask } = useAction(channels.code)
  return (
    <SaveDialog
      size="sm"
      title="Recevoir vos alertes par SMS"
      submitLabel="Recevoir un code"
      form={{ register, ...form }}
      onSave={async (body) => {
        await ask({ body })
        onSent(body.phone)
        // Keep the dialog open: the code is asked next.
        return false
      }}
      onClose={onClose}
    >
      <TextField
        label="Numéro de mobile"
        type="tel"
        required
        maxLength={40}
        autoComplete="tel"
        hint="Un numéro de la RDC, par exemple 081 345 67 89."
        error={form.formState.errors.phone?.message}
        {...register('phone')}
      />
    </SaveDialog>
  )
}

function CodeDialog({ phone, onClose }: { phone: string; onClose: () => void }) {
  const { register, ...form } = useForm({ defaultValues: { code: '' }, shouldFocusError: false })
  const { mutateAsync: confirm } = useAction(channels.confirm)
  return (
    <SaveDialog
      size="sm"
      title="Confirmer votre numéro"
      submitLabel="Confirmer"
      form={{ register, ...form }}
      onSave={(body) => confirm({ body })}
      onClose={onClose}
    >
      <TextField
        label="Code reçu par SMS"
        required
        maxLength={20}
        inputMode="numeric"
        autoComplete="one-time-code"
        hint={`Six chiffres, envoyés au ${phone}. Le code vaut 15\u00a0minutes.`}
        error={form.formState.errors.code?.message}
        {...register('code')}
      />
    </SaveDialog>
  )
}
