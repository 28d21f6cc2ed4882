import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ownAccount } from '#features/account/account.contract.ts'
import { PasswordFirst } from '#features/account/ui/password-first.tsx'
import { ProofFields } from '#features/account/ui/proof-fields.tsx'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { useAction } from '#web/query.ts'
import { signOut } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'

const deletionEffect =
  'Vos nom, adresse, photo, messages et sessions sont effacés, du journal aussi. Les prix que vous avez relevés restent, anonymes\u202f; les factures aussi, comme la loi le demande.'

/** Closes the account, with a list of what is deleted and what stays. */
export function CloseAccount() {
  const [isAsked, setAsked] = useState(false)
  return (
    <Card
      title="Fermer le compte"
      description={deletionEffect}
      actions={<Button onClick={() => setAsked(true)}>Fermer mon compte</Button>}
    >
      {isAsked && (
        <PasswordFirst onClose={() => setAsked(false)}>
          <ClosingDialog onClose={() => setAsked(false)} />
        </PasswordFirst>
      )}
    </Card>
  )
}

function ClosingDialog({ onClose }: { onClose: () => void }) {
  const { register, ...form } = useForm({
    defaultValues: { currentPassword: '', code: '' },
    shouldFocusError: false,
  })
  const close = useAction(ownAccount.close)
  return (
    <SaveDialog
      title={'Fermer votre compte\u202f?'}
      submitLabel="Fermer mon compte"
      tone="danger"
      form={{ register, ...form }}
      onSave={async (body) => {
        await close.mutateAsync({ body })
        await signOut()
      }}
      onClose={onClose}
    >
      <p>{deletionEffect}</p>
      <p className="font-medium">Cette action est irréversible.</p>
      <ProofFields register={register} errors={form.formState.errors} />
    </SaveDialog>
  )
}
