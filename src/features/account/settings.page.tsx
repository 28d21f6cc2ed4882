import { useState } from 'react'
import { CloseAccount } from '#features/account/ui/close-account.tsx'
import { EmailDialog, PasswordDialog } from '#features/account/ui/credentials.tsx'
import { NotificationChoices } from '#features/account/ui/notification-choices.tsx'
import { OwnData } from '#features/account/ui/own-data.tsx'
import { OwnSessions } from '#features/account/ui/own-sessions.tsx'
import { PasswordFirst } from '#features/account/ui/password-first.tsx'
import { SecondFactorCard } from '#features/account/ui/second-factor.tsx'
import { me } from '#features/auth/auth.contract.ts'
import { AskForLink } from '#features/auth/ui/ask-for-link.tsx'
import { ChannelsCard } from '#features/channels/ui/channels-card.tsx'
import { BillingCard } from '#features/invoices/ui/billing-card.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { useShortcutsOn } from '#web/shortcuts.ts'
import { setTheme, useTheme } from '#web/theme.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, Facts } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { ShortcutKeys } from '#web/ui/shortcut-keys.tsx'
import { PageSkeleton } from '#web/ui/skeleton.tsx'

/** An unconfirmed address, with a button to confirm it. */
function Unverified({ email }: { email: string }) {
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      Non
      <AskForLink email={email} label="Recevoir un lien de confirmation" />
    </span>
  )
}

/** Means of signing in, appearance, sessions, and the user's own data. */
export function SettingsPage() {
  const answer = useAnswer(me, {})
  const theme = useTheme()
  const [hasShortcuts, setShortcuts] = useShortcutsOn()
  const [opened, setOpened] = useState<'email' | 'password' | null>(null)
  const close = () => setOpened(null)
  if (answer.error && !answer.data) {
    return (
      <>
        <PageHeader title="Paramètres" />
        <LoadFailure title="Erreur lors du chargement des paramètres" answer={answer} />
      </>
    )
  }
  if (!answer.data) return <PageSkeleton />
  const { user } = answer.data
  return (
    <>
      <PageHeader
        title="Paramètres"
        description="Votre connexion, l’apparence, vos sessions et vos données."
      />
      <div className="max-w-3xl space-y-6">
        <Card
          title="Compte"
          actions={
            <>
              <Button onClick={() => setOpened('email')}>Changer d’e-mail</Button>
              <Button onClick={() => setOpened('password')}>
                {user.hasPassword ? 'Changer le mot de passe' : 'Choisir un mot de passe'}
              </Button>
            </>
          }
        >
          <Facts
            items={[
              { label: 'E-mail', value: user.email },
              {
                label: 'E-mail vérifié',
                value: user.email_verified ? 'Oui' : <Unverified email={user.email} />,
              },
              { label: 'Nom', value: user.name },
              { label: 'Fournisseur de connexion', value: user.auth_provider },
            ]}
          />
        </Card>
        <Card title="Apparence" description="Sur cet appareil.">
          <Segmented
            label="Apparence"
            options={[
              { value: 'light', label: 'Clair' },
              { value: 'dark', label: 'Sombre' },
              { value: 'system', label: 'Appareil', name: 'Comme l’appareil' },
            ]}
            value={theme}
            onChange={setTheme}
          />
        </Card>
        <Card title="Raccourcis clavier" description="Sur cet appareil.">
          <div className="max-w-sm space-y-4">
            <Segmented
              label="Raccourcis clavier"
              options={[
                { value: 'on', label: 'Activés' },
                { value: 'off', label: 'Désactivés' },
              ]}
              value={hasShortcuts ? 'on' : 'off'}
              onChange={(next) => setShortcuts(next === 'on')}
            />
            <ShortcutKeys />
          </div>
        </Card>
        <BillingCard />
        <SecondFactorCard />
        <OwnSessions />
        <NotificationChoices />
        <ChannelsCard />
        <OwnData />
        <CloseAccount />
      </div>
      {opened && (
        <PasswordFirst onClose={close}>
          {opened === 'email' ? (
            <EmailDialog onClose={close} />
          ) : (
            <PasswordDialog userId={user.id} onClose={close} />
          )}
        </PasswordFirst>
      )}
    </>
  )
}
