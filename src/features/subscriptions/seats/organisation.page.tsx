import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Organisation, seats } from '#features/subscriptions/seats/seats.contract.ts'
import { lossInWords } from '#features/subscriptions/seats/seats.rules.ts'
import { MembersCard } from '#features/subscriptions/seats/ui/members-card.tsx'
import { formatDate } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { statementOf, useAction, useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageSkeleton } from '#web/ui/skeleton.tsx'

/** The members of the user's own subscription, and the user's membership of another. */
export function OrganisationPage() {
  const answer = useAnswer(seats.read, {})
  const { data } = answer
  return (
    <>
      <PageHeader
        title="Mon organisation"
        description="Les membres lisent les prix sur l’abonnement de qui les invite, sans voir ses paiements ni ses factures."
      />
      {answer.error && !data && (
        <LoadFailure title="Erreur lors du chargement de votre organisation" answer={answer} />
      )}
      {answer.isPending && <PageSkeleton />}
      {data && <Parts organisation={data} />}
    </>
  )
}

function Parts({ organisation }: { organisation: Organisation }) {
  const { members, coming, membership, invitations } = organisation
  const loss = coming && lossInWords(members, coming)
  const hasSeats = organisation.seats > 1 || members.length > 0
  return (
    <>
      {loss && (
        <p role="status" className="rounded-md bg-amber-soft px-4 py-3 wrap-anywhere text-amber">
          {`À partir du ${formatDate(coming.at)}, ${loss}`}
        </p>
      )}
      {invitations.map((invitation) => (
        <InvitationCard key={invitation.id} invitation={invitation} />
      ))}
      {membership && <MembershipCard membership={membership} />}
      {hasSeats && <MembersCard organisation={organisation} />}
      {!hasSeats && !membership && invitations.length === 0 && (
        <EmptyState
          title="Votre plan comprend une seule place"
          action={
            <Link to="/subscriptions" hash="plans" className={buttonClass('primary')}>
              Voir les plans
            </Link>
          }
        >
          Avec un plan à plusieurs places, vous invitez ici vos collègues par e-mail.
        </EmptyState>
      )}
    </>
  )
}

function InvitationCard({ invitation }: { invitation: Organisation['invitations'][number] }) {
  const { id, owner, expiresAt, isExpired } = invitation
  const accept = useAction(seats.accept)
  return (
    <Card
      title={`Invitation de ${owner}`}
      description={
        isExpired
          ? `Elle a expiré le ${formatDate(expiresAt)}. Demandez-en une autre à ${owner}.`
          : `${owner} vous propose une place dans son abonnement, à accepter avant le ${formatDate(expiresAt)}.`
      }
      actions={
        !isExpired && (
          <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate({ params: { id } })}>
            Accepter
          </Button>
        )
      }
    >
      {accept.error && <ErrorNote>{statementOf(accept.error)}</ErrorNote>}
    </Card>
  )
}

function MembershipCard({ membership }: { membership: NonNullable<Organisation['membership']> }) {
  const { owner, plan, acceptedAt, isComprised } = membership
  const [isAsked, setAsked] = useState(false)
  const leave = useAction(seats.leave, { onDone: () => setAsked(false) })
  return (
    <Card
      title={`Membre chez ${owner}`}
      description={
        isComprised
          ? `Depuis le ${formatDate(acceptedAt)}, vous lisez sur son abonnement${plan ? ` «\u202f${plan}\u202f»` : ''}.`
          : 'Son abonnement ne comprend plus votre place. Elle s’ouvre de nouveau dès qu’il en a assez.'
      }
      actions={<Button onClick={() => setAsked(true)}>Quitter</Button>}
    >
      <ConfirmDialog
        open={isAsked}
        title="Quitter l’organisation"
        confirmLabel="Quitter"
        busy={leave.isPending}
        error={leave.error && statementOf(leave.error)}
        onConfirm={() => leave.mutate({})}
        onClose={() => setAsked(false)}
      >
        {`L’accès que vous donne ${owner} se ferme aussitôt.`}
      </ConfirmDialog>
    </Card>
  )
}
