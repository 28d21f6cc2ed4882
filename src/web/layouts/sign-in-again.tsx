import { Suspense } from 'react'
import { lazyCode } from '#web/lazy-code.tsx'
import { useSession } from '#web/session.ts'

const SignInDialog = lazyCode(() => import('#web/layouts/sign-in-dialog.tsx'), 'SignInDialog', 'dialog')

/** Shown over a form whose session has expired: the input remains, and can be saved after signing in again. */
export function SignInAgain() {
  const session = useSession()
  if (session.status !== 'in' || !session.isExpired) return null
  return (
    <Suspense>
      <SignInDialog user={session.user} />
    </Suspense>
  )
}
