import { SecondFactorCard } from '#features/account/ui/second-factor.tsx'
import { me } from '#features/auth/auth.contract.ts'
import { call } from '#web/api.ts'
import { followUser } from '#web/session.ts'
import { PageHeader } from '#web/ui/page-header.tsx'

/** Shown instead of every page to administrators without a second factor. */
export function SecondFactorPage() {
  return (
    <>
      <PageHeader
        title="Protégez votre compte"
        description="Votre rôle administre Ntalo&nbsp;: un mot de passe seul n’y suffit pas. Activez la vérification en deux étapes pour continuer."
      />
      <div className="max-w-3xl">
        <SecondFactorCard onTurnedOn={() => void call(me, {}).then(({ user }) => followUser(user))} />
      </div>
    </>
  )
}
