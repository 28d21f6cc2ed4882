import { UserMinus } from 'lucide-react'
import { useState } from 'react'
import { type Organisation, type Seat, seats } from '#features/subscriptions/seats/seats.contract.ts'
import { messageOf } from '#web/api.ts'
import { formatDate } from '#web/format.ts'
import { statementOf, useAction } from '#web/query.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { TextField } from '#web/ui/inputs.tsx'
import { Table } from '#web/ui/table.tsx'

/** The members and invitations of the user's own subscription, and a form to invite another. */
export function MembersCard({ organisation }: { organisation: Organisation }) {
  const { members, plan } = organisation
  const [removed, setRemoved] = useState<Seat | null>(null)
  const taken = 1 + members.filter(({ state }) => state !== 'expired').length
  return (
    <Card
      title="Membres"
      description={`${plan ? `«\u202f${plan}\u202f»\u00a0: ` : ''}${taken} sur ${organisation.seats} ${organisation.seats > 1 ? 'places prises' : 'place prise'}, la vôtre comprise. Les appels et les SMS du plan se partagent en parts égales\u00a0: chaque membre en a une, vous gardez le reste.`}
    >
      <div className="space-y-4">
        <InviteForm />
        <Table
          caption="Membres et invitations"
          columns={columns}
          rows={members}
          rowKey={({ id }) => id}
          actions={(row) => (
            <IconButton
              icon={UserMinus}
              tone="danger"
              label={`Retirer ${row.name ?? row.email}`}
              onClick={() => setRemoved(row)}
            />
          )}
          empty={
            <EmptyState title="Aucun membre" compact>
              Invitez un collègue par son adresse e-mail.
            </EmptyState>
          }
        />
      </div>
      {removed && <RemoveDialog row={removed} onClose={() => setRemoved(null)} />}
    </Card>
  )
}

const states: Record<Seat['state'], { label: string; tone: Tone }> = {
  active: { label: 'Actif', tone: 'green' },
  invited: { label: 'Invité', tone: 'blue' },
  expired: { label: 'Invitation expirée', tone: 'grey' },
}

function StateBadge({ row: { state, isComprised } }: { row: Seat }) {
  if (!isComprised) return <Badge tone="amber">Sans place</Badge>
  return <Badge tone={states[state].tone}>{states[state].label}</Badge>
}

const columns = [
  {
    key: 'email',
    header: 'Adresse',
    cell: ({ email }: Seat) => <span className="wrap-anywhere">{email}</span>,
  },
  { key: 'name', header: 'Nom', cell: ({ name }: Seat) => name ?? '–' },
  { key: 'state', header: 'État', cell: (row: Seat) => <StateBadge row={row} /> },
  {
    key: 'since',
    header: 'Depuis',
    cell: ({ acceptedAt, expiresAt, state }: Seat) =>
      acceptedAt
        ? formatDate(acceptedAt)
        : `${state === 'expired' ? 'jusqu’au' : 'valable jusqu’au'} ${formatDate(expiresAt)}`,
  },
]

function InviteForm() {
  const [email, setEmail] = useState('')
  const invite = useAction(seats.invite, { onDone: () => setEmail('') })
  return (
    <form
      className="flex flex-wrap items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (email.trim() !== '') invite.mutate({ body: { email } })
      }}
    >
      <TextField
        className="min-w-0 flex-1 basis-60"
        type="email"
        label="Adresse e-mail à inviter"
        maxLength={254}
        autoComplete="off"
        value={email}
        error={invite.error ? messageOf(invite.error) : undefined}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Button type="submit" variant="primary" busy={invite.isPending} className="sm:mt-7 max-sm:w-full">
        Inviter
      </Button>
    </form>
  )
}

function RemoveDialog({ row, onClose }: { row: Seat; onClose: () => void }) {
  const remove = useAction(seats.remove, { onDone: onClose })
  return (
    <ConfirmDialog
      open
      title={row.state === 'active' ? 'Retirer ce membre' : 'Retirer cette invitation'}
      confirmLabel="Retirer"
      busy={remove.isPending}
      error={remove.error && statementOf(remove.error)}
      onConfirm={() => remove.mutate({ params: { id: row.id } })}
      onClose={onClose}
    >
      {row.state === 'active'
        ? `${row.name ?? row.email} n’a plus accès aux prix aussitôt, et sa place est libre.`
        : `${row.email} ne peut plus l’accepter, et la place est libre.`}
    </ConfirmDialog>
  )
}
