import { resendVerification } from '#features/auth/registration.contract.ts'
import { useAction } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'

/** Requests another mail with the link that confirms an address. */
export function AskForLink({ email, label = 'Recevoir un nouveau lien' }: { email: string; label?: string }) {
  const ask = useAction(resendVerification)
  return (
    <Button busy={ask.isPending} onClick={() => ask.mutate({ body: { email } })}>
      {label}
    </Button>
  )
}
