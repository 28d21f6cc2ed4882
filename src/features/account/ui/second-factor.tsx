import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { secondFactor } from '#features/account/second-factor/second-factor.contract.ts'
import { PasswordFirst } from '#features/account/ui/password-first.tsx'
import { ProofFields } from '#features/account/ui/proof-fields.tsx'
import { me } from '#features/auth/auth.contract.ts'
import { AskForLink } from '#features/auth/ui/ask-for-link.tsx'
import { saveFile } from '#web/download.ts'
import { formatCount } from '#web/format.ts'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/inputs.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type Step =
  | { is: 'begin' | 'remove' | 'renew' }
  | { is: 'confirm'; secret: string; uri: string }
  | { is: 'keep'; codes: string[] }

/** The second factor: turned on with an application, off with the password and a code. */
export function SecondFactorCard({ onTurnedOn }: { onTurnedOn?: () => void }) {
  const answer = useAnswer(secondFactor.read, {})
  const { data } = answer
  // Polled, to notice when the address is confirmed in another tab.
  const account = useAnswer(me, {}, { pauseMs: (answer) => answer?.user.email_verified === false && 5_000 })
  const unconfirmed = account.data?.user.email_verified === false ? account.data.user.email : null
  const [step, setStep] = useState<Step | null>(null)
  const close = () => setStep(null)
  const keep = (codes: string[]) => setStep({ is: 'keep', codes })
  return (
    <Card
      title="Vérification en deux étapes"
      description="À la connexion, un code de votre téléphone s’ajoute au mot de passe."
      actions={
        data && (
          <>
            {data.isOn && <Button onClick={() => setStep({ is: 'renew' })}>Nouveaux codes de secours</Button>}
            {(data.isOn || !unconfirmed) && (
              <Button onClick={() => setStep({ is: data.isOn ? 'remove' : 'begin' })}>
                {data.isOn ? 'Désactiver' : 'Activer'}
              </Button>
            )}
          </>
        )
      }
    >
      {answer.error && !data && (
        <LoadFailure
          compact
          title="Erreur lors du chargement de la vérification en deux étapes"
          answer={answer}
        />
      )}
      {answer.isPending && <Skeleton className="h-6" />}
      {data?.isOn ? (
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone="green">Active</Badge>
          {`Il reste ${formatCount(data.recoveryCodes, 'code de secours', 'codes de secours')}.`}
        </p>
      ) : (
        data && <Badge>Inactive</Badge>
      )}
      {data?.isOn === false && unconfirmed && (
        <div className="space-y-3">
          <p className="rounded-md bg-amber-soft px-4 py-3 text-amber">
            {'Confirmez d’abord votre adresse e-mail\u00a0: ouvrez le lien que nous avons envoyé à '}
            <strong className="font-medium wrap-anywhere">{unconfirmed}</strong>.
          </p>
          <AskForLink email={unconfirmed} />
        </div>
      )}
      {step?.is === 'begin' && (
        <PasswordFirst onClose={close}>
          <BeginDialog onDone={(given) => setStep({ is: 'confirm', ...given })} onClose={close} />
        </PasswordFirst>
      )}
      {step?.is === 'confirm' && <ConfirmDialog {...step} onDone={keep} onClose={close} />}
      {step?.is === 'renew' && (
        <PasswordFirst onClose={close}>
          <RenewDialog onDone={keep} onClose={close} />
        </PasswordFirst>
      )}
      {step?.is === 'keep' && (
        <CodesDialog
          codes={step.codes}
          onClose={() => {
            close()
            onTurnedOn?.()
          }}
        />
      )}
      {step?.is === 'remove' && (
        <PasswordFirst onClose={close}>
          <RemoveDialog onClose={close} />
        </PasswordFirst>
      )}
    </Card>
  )
}

type Dialogs<Given> = { onDone: (given: Given) => void; onClose: () => void }

function BeginDialog({ onDone, onClose }: Dialogs<{ secret: string; uri: string }>) {
  const { register, ...form } = useForm({
    defaultValues: { currentPassword: '', code: '' },
    shouldFocusError: false,
  })
  const begin = useAction(secondFactor.begin)
  return (
    <SaveDialog
      title="Activer la vérification en deux étapes"
      submitLabel="Continuer"
      form={{ register, ...form }}
      onSave={async (body) => {
        onDone(await begin.mutateAsync({ body }))
        return false
      }}
      onClose={onClose}
    >
      <ProofFields register={register} errors={form.formState.errors} />
    </SaveDialog>
  )
}

function ConfirmDialog({
  secret,
  uri,
  onDone,
  onClose,
}: Dialogs<string[]> & { secret: string; uri: string }) {
  const { register, ...form } = useForm({ defaultValues: { code: '' }, shouldFocusError: false })
  const confirm = useAction(secondFactor.confirm)
  return (
    <SaveDialog
      title="Votre application"
      submitLabel="Activer"
      form={{ register, ...form }}
      onSave={async (body) => {
        onDone((await confirm.mutateAsync({ body })).recoveryCodes)
        return false
      }}
      onClose={onClose}
    >
      <p>
        Ajoutez Ntalo à une application de codes (Aegis, Google Authenticator…)&nbsp;: photographiez ce carré,
        ouvrez{' '}
        <a href={uri} className="text-river underline">
          ce lien sur le téléphone
        </a>{' '}
        ou tapez la clé.
      </p>
      <QrCode text={uri} label="Le lien pour l’application, à photographier" />
      <p className="rounded-md bg-sunken p-3 text-center font-mono text-base text-balance wrap-anywhere">
        {secret.match(/.{1,4}/g)?.join(' ')}
      </p>
      <TextField
        label="Code de vérification"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        error={form.formState.errors.code?.message}
        {...register('code')}
      />
    </SaveDialog>
  )
}

function RenewDialog({ onDone, onClose }: Dialogs<string[]>) {
  const { register, ...form } = useForm({
    defaultValues: { currentPassword: '', code: '' },
    shouldFocusError: false,
  })
  const renew = useAction(secondFactor.renewCodes)
  return (
    <SaveDialog
      title="Nouveaux codes de secours"
      submitLabel="Remplacer les codes"
      form={{ register, ...form }}
      onSave={async (body) => {
        onDone((await renew.mutateAsync({ body })).recoveryCodes)
        return false
      }}
      onClose={onClose}
    >
      <p>Les anciens codes ne serviront plus.</p>
      <ProofFields register={register} errors={form.formState.errors} />
    </SaveDialog>
  )
}

function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      title="Codes de secours"
      description="Chacun remplace une fois le code du téléphone. Ils ne seront plus montrés."
      // Escape must not close it: the codes are shown only once.
      dismissible={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => saveFile(new Blob([`${codes.join('\n')}\n`]), 'codes-de-secours-ntalo.txt')}>
            Télécharger
          </Button>
          <Button variant="primary" onClick={onClose}>
            Je les ai notés
          </Button>
        </>
      }
    >
      <ul className="grid grid-cols-2 gap-2 font-mono text-base">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  )
}

function RemoveDialog({ onClose }: { onClose: () => void }) {
  const { register, ...form } = useForm({
    defaultValues: { currentPassword: '', code: '' },
    shouldFocusError: false,
  })
  const remove = useAction(secondFactor.remove)
  return (
    <SaveDialog
      title={'Désactiver la vérification en deux étapes\u202f?'}
      submitLabel="Désactiver"
      tone="danger"
      form={{ register, ...form }}
      onSave={(body) => remove.mutateAsync({ body })}
      onClose={onClose}
    >
      <ProofFields register={register} errors={form.formState.errors} />
    </SaveDialog>
  )
}
