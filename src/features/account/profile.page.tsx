import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useController, useForm } from 'react-hook-form'
import { ownAccount } from '#features/account/account.contract.ts'
import { type Account, me } from '#features/auth/auth.contract.ts'
import { userStatus } from '#features/users/accounts/accounts.contract.ts'
import { UserStatusBadge } from '#features/users/accounts/ui/user-status.tsx'
import { RoleBadge } from '#features/users/roles/ui/role-badge.tsx'
import { formatDateTime, notAvailable } from '#web/format.ts'
import { SaveDialog } from '#web/forms/save-dialog.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { followUser } from '#web/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, Facts } from '#web/ui/card.tsx'
import { FileField } from '#web/ui/file-field.tsx'
import { TextField } from '#web/ui/inputs.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageSkeleton } from '#web/ui/skeleton.tsx'

/** The user's own profile, as others see it. */
export function ProfilePage() {
  const answer = useAnswer(me, {})
  const [isEditing, setEditing] = useState(false)
  if (answer.error && !answer.data) {
    return (
      <>
        <PageHeader title="Profil" />
        <LoadFailure title="Erreur lors du chargement du profil" answer={answer} />
      </>
    )
  }
  if (!answer.data) return <PageSkeleton />
  const { user } = answer.data
  return (
    <>
      <PageHeader
        title="Profil"
        description="Votre compte, tel que l’équipe de Ntalo le voit."
        primary={
          <Button variant="primary" icon={Pencil} onClick={() => setEditing(true)}>
            Modifier le profil
          </Button>
        }
      />
      <div className="max-w-3xl">
        <Card>
          <div className="flex items-center gap-4 pb-4">
            <Avatar name={user.name} url={user.avatar_url} className="size-16 text-xl" />
            <div className="min-w-0">
              <p className="text-lg font-semibold wrap-anywhere sm:text-xl">{user.name}</p>
              <p className="text-ink-soft wrap-anywhere">{user.email}</p>
            </div>
          </div>
          <Facts items={factsOf(user)} />
        </Card>
      </div>
      {isEditing && <EditDialog user={user} onClose={() => setEditing(false)} />}
    </>
  )
}

function factsOf(user: Account) {
  return [
    { label: 'Statut', value: <UserStatusBadge status={userStatus.parse(user.status)} /> },
    { label: 'Localité', value: user.location ?? notAvailable },
    { label: 'E-mail vérifié', value: user.email_verified ? 'Oui' : 'Non' },
    { label: 'Fournisseur de connexion', value: user.auth_provider },
    {
      label: 'Rôles',
      value:
        user.roles.length === 0 ? (
          'Aucun rôle assigné'
        ) : (
          <span className="flex flex-wrap justify-end gap-1.5">
            {user.roles.map((role) => (
              <RoleBadge key={role} role={role} />
            ))}
          </span>
        ),
    },
    { label: 'Créé le', value: formatDateTime(user.created_at) },
    { label: 'Modifié le', value: formatDateTime(user.updated_at) },
  ]
}

type Values = {
  name: string
  location: string
  /** Null removes the picture, an empty text leaves it. */
  avatar: File | null | ''
}

function EditDialog({ user, onClose }: { user: Account; onClose: () => void }) {
  const { register, ...form } = useForm<Values>({
    defaultValues: { name: user.name, location: user.location ?? '', avatar: '' },
    shouldFocusError: false,
  })
  const { field } = useController({ control: form.control, name: 'avatar' })
  const picture = field.value instanceof File ? field.value : null
  const isRemoved = field.value === null
  const save = useAction(ownAccount.update)
  const onSave = async ({ avatar, ...values }: Values) => {
    const saved = avatar
      ? await save.mutateAsync({ body: formOf({ ...values, avatar }) })
      : await save.mutateAsync({ body: { ...values, ...(avatar === null && { avatar }) } })
    followUser(saved.user)
  }
  const { errors } = form.formState
  return (
    <SaveDialog
      title="Modifier le profil"
      submitLabel="Enregistrer"
      form={{ register, ...form }}
      onSave={onSave}
      onClose={onClose}
    >
      <TextField label="Nom" required maxLength={200} error={errors.name?.message} {...register('name')} />
      <TextField
        label="Localité"
        maxLength={200}
        error={errors.location?.message}
        {...register('location')}
      />
      <FileField
        label="Photo"
        hint={'JPEG, PNG, WebP ou GIF, 5\u00a0Mo au plus.'}
        accept="image/jpeg,image/png,image/webp,image/gif"
        value={picture}
        currentUrl={isRemoved ? null : user.avatar_url}
        error={errors.avatar?.message}
        onChange={(file) => field.onChange(file ?? '')}
      />
      {user.avatar_url && !picture && (
        <Button variant="ghost" onClick={() => field.onChange(isRemoved ? '' : null)}>
          {isRemoved ? 'Garder la photo' : 'Retirer la photo'}
        </Button>
      )}
    </SaveDialog>
  )
}

function formOf(fields: Record<string, string | File>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}
