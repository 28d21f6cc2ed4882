import type { ReactNode } from 'react'
import type { Schedule } from '#features/reports/reports.contract.ts'
import { scheduleText } from '#features/reports/reports.rules.ts'
import { AuthLayout } from '#web/layouts/auth-layout.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { SubmitButton } from '#web/ui/form.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

type ReceptionProps = {
  state: 'ask' | 'confirmed' | 'left' | 'unknown'
  token?: string
  title?: string
  owner?: string
  schedule?: Schedule | null
}

export function head(): DocumentHead {
  return {
    title: 'Recevoir un bulletin · Ntalo',
    description: 'Recevoir un bulletin de prix par e-mail, ou ne plus le recevoir.',
    isIndexed: false,
  }
}

/** A button, since programs that scan mails open links too. */
export function ReceptionView({
  state,
  token = '',
  title = '',
  owner = '',
  schedule = null,
}: ReceptionProps) {
  const named = `«\u202f${title}\u202f»`
  const sentences = {
    ask: `${owner} vous propose de recevoir ${named}${schedule ? `, ${scheduleText(schedule)}` : ''}.`,
    confirmed: `Vous recevez ${named}${schedule ? `, ${scheduleText(schedule)}` : ''}.`,
    left: `C’est fait\u00a0: ${named} ne vous est plus envoyé.`,
    unknown: 'Ce lien n’est plus valable\u00a0: ce bulletin n’existe plus, ou vous n’êtes plus sur sa liste.',
  }
  const form = (choice: 'confirm' | 'leave', button: ReactNode) => (
    <form method="post" action={`/bulletins/reception/${token}`} className="mt-3">
      <input type="hidden" name="choice" value={choice} />
      {button}
    </form>
  )
  return (
    <AuthLayout
      title="Bulletin par e-mail"
      description={sentences[state]}
      footer={<TextLink href="/">Ntalo</TextLink>}
    >
      {state === 'ask' && form('confirm', <SubmitButton>Recevoir ce bulletin</SubmitButton>)}
      {state === 'ask' &&
        form(
          'leave',
          <button type="submit" className={buttonClass('secondary', 'w-full')}>
            Ne pas le recevoir
          </button>,
        )}
      {state === 'confirmed' && form('leave', <SubmitButton>Ne plus le recevoir</SubmitButton>)}
      {state === 'left' && form('confirm', <SubmitButton>Le recevoir à nouveau</SubmitButton>)}
    </AuthLayout>
  )
}
