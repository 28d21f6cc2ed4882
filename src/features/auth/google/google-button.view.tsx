import { buttonClass } from '#web/ui/button-class.ts'

/** Links to Google. @param redirectUrl page to open once signed in */
export function GoogleButton({ redirectUrl }: { redirectUrl?: string | undefined }) {
  const wanted = redirectUrl ? `?redirectUrl=${encodeURIComponent(redirectUrl)}` : ''
  return (
    <p className="mt-3">
      <a href={`/auth/google${wanted}`} data-google className={buttonClass('secondary', 'w-full')}>
        Continuer avec Google
      </a>
    </p>
  )
}
