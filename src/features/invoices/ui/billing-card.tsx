import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type BillingDetails, ownBilling } from '#features/invoices/invoices.contract.ts'
import { notAvailable } from '#web/format.ts'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, Facts } from '#web/ui/card.tsx'
import { TextareaField, TextField } from '#web/ui/inputs.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The billing details of the user's next invoices. */
export function BillingCard() {
  const answer = useAnswer(ownBilling.read, {})
  const [isEditing, setEditing] = useState(false)
  const { data } = answer
  return (
    <Card
      title="Facturation"
      description="Ce que portent vos prochaines factures, et l’adresse qui reçoit les reçus."
      actions={data && <Button onClick={() => setEditing(true)}>Modifier la facturation</Button>}
    >
      {answer.error && !data && (
        <LoadFailure compact title="Erreur lors du chargement de la facturation" answer={answer} />
      )}
      {answer.isPending && <Skeleton className="h-24 w-full" />}
      {data && (
        <Facts
          items={[
            { label: 'Facturé à', value: data.name },
            { label: 'Adresse', value: data.address ?? notAvailable },
            { label: 'Numéro d’impôt', value: data.taxNumber ?? notAvailable },
            { label: 'E-mail des reçus', value: data.email },
          ]}
        />
      )}
      {data && isEditing && <BillingDialog details={data} onClose={() => setEditing(false)} />}
    </Card>
  )
}

function BillingDialog({ details, onClose }: { details: BillingDetails; onClose: () => void }) {
  const { register, ...form } = useForm({
    defaultValues: { ...details, address: details.address ?? '', taxNumber: details.taxNumber ?? '' },
    shouldFocusError: false,
  })
  const save = useAction(ownBilling.change)
  const { errors } = form.formState
  return (
    <SaveDialog
      title="Modifier la facturation"
      submitLabel="Enregistrer"
      form={{ register, ...form }}
      onSave={async (body) => {
        await save.mutateAsync({ body })
      }}
      onClose={onClose}
    >
      <TextField
        label="Facturé à"
        hint="Le nom de la personne ou de l’organisation."
        required
        maxLength={200}
        error={errors.name?.message}
        {...register('name')}
      />
      <TextareaField
        label="Adresse"
        maxLength={500}
        error={errors.address?.message}
        {...register('address')}
      />
      <TextField
        label="Numéro d’impôt"
        maxLength={60}
        error={errors.taxNumber?.message}
        {...register('taxNumber')}
      />
      <TextField
        label="E-mail des reçus"
        type="email"
        required
        maxLength={254}
        error={errors.email?.message}
        {...register('email')}
      />
    </SaveDialog>
  )
}
