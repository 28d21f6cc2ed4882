import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

/** Replaces a page that crashed; the rest of the program remains usable. */
export function PageError({ reset }: Pick<ErrorComponentProps, 'reset'>) {
  const router = useRouter()
  return (
    <>
      <PageHeader title="Cette page n’a pas pu s’afficher" />
      <ErrorState
        title="Une erreur est survenue"
        message="Vérifiez votre connexion et réessayez. Si cela se répète, rechargez la page."
        onRetry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </>
  )
}
