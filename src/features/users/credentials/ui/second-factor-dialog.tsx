import { removeSecondFactorOf } from '#features/users/credentials/credentials.contract.ts'
import type { User } from '#features/users/users.contract.ts'
import { statementOf, useAction } from '#web/query.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** For a user who has lost their phone and recovery codes. */
export function SecondFactorDialog({ row, onClose }: { row: User; onClose: () => void }) {
  const removal = useAction(removeSecondFactorOf, { onDone: onClose })
  return (
    <ConfirmDialog
      open
      title={'Désactiver la vérification en deux étapes\u202f?'}
      confirmLabel="Désactiver"
      busy={removal.isPending}
      error={removal.error && statementOf(removal.error)}
      onConfirm={() => removal.mutate({ params: { id: row.id } })}
      onClose={onClose}
    >
      <p>
        {`${row.name} a perdu son téléphone et ses codes de secours\u202f? Son mot de passe suffira à la prochaine connexion, et ses sessions se terminent.`}
      </p>
    </ConfirmDialog>
  )
}
