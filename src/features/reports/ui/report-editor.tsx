import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Report, type ReportBlock, reports } from '#features/reports/reports.contract.ts'
import { blockKinds, blockNames, mostBlocks } from '#features/reports/reports.rules.ts'
import { BlockFields } from '#features/reports/ui/block-fields.tsx'
import { SendingFields } from '#features/reports/ui/sending-fields.tsx'
import { statementOf, useAction } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'
import { TextareaField, TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

const recipientStates = {
  waiting: { tone: 'amber', word: 'pas encore confirmé' },
  confirmed: { tone: 'green', word: 'confirmé' },
  left: { tone: 'grey', word: 'n’en veut plus' },
} as const

/** The content, schedule and recipients of a report, saved together. */
export function ReportEditor({ report }: { report: Report }) {
  const [title, setTitle] = useState(report.title)
  const [blocks, setBlocks] = useState(report.blocks as ReportBlock[])
  const [schedule, setSchedule] = useState(report.schedule)
  const [addresses, setAddresses] = useState(
    report.recipients
      .filter(({ state }) => state !== 'left')
      .map(({ email }) => email)
      .join('\n'),
  )
  const [isLeaving, setLeaving] = useState(false)
  const save = useAction(reports.update)
  const remove = useAction(reports.remove)
  const setBlock = (at: number, block: ReportBlock) =>
    setBlocks(blocks.map((each, i) => (i === at ? block : each)))
  return (
    <Card
      title="Composer et envoyer"
      actions={
        <IconButton
          icon={Trash2}
          tone="danger"
          label="Supprimer ce rapport"
          onClick={() => setLeaving(true)}
        />
      }
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          const recipients = addresses.split(/[\s,;]+/).filter(Boolean)
          const body = { title, blocks, schedule, recipients, updatedAt: report.updatedAt }
          save.mutate({ params: { id: report.id }, body })
        }}
      >
        <TextField
          label="Titre"
          required
          maxLength={120}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <fieldset>
          <legend className="mb-1 font-medium">Blocs, dans l’ordre de la page</legend>
          <ul className="divide-y divide-line rounded-md border border-line">
            {blocks.map((block, at) => (
              <BlockFields
                // biome-ignore lint/suspicious/noArrayIndexKey: two blocks may be equal; a place is what tells them apart.
                key={at}
                block={block}
                onChange={(next) => setBlock(at, next)}
                onUp={at > 0 ? () => setBlocks(moved(blocks, at)) : undefined}
                onRemove={blocks.length > 1 ? () => setBlocks(blocks.filter((_, i) => i !== at)) : undefined}
              />
            ))}
          </ul>
          {blocks.length < mostBlocks && (
            <SelectField
              className="mt-2"
              label="Ajouter un bloc"
              hideLabel
              value=""
              placeholder="Ajouter un bloc…"
              options={blockKinds.map((kind) => ({ value: kind, label: blockNames[kind] }))}
              onChange={({ target }) => {
                const kind = blockKinds.find((each) => each === target.value)
                const text = kind === 'text' ? 'Votre texte.' : null
                if (kind) setBlocks([...blocks, { kind, title: null, selection: {}, period: null, text }])
              }}
            />
          )}
        </fieldset>
        <SendingFields schedule={schedule} onChange={setSchedule} />
        <TextareaField
          label="Destinataires, une adresse par ligne"
          hint="Chacun reçoit d’abord un e-mail où il confirme. Il se désabonne d’un clic."
          rows={3}
          value={addresses}
          onChange={(event) => setAddresses(event.target.value)}
        />
        {report.recipients.length > 0 && (
          <ul className="space-y-1 text-sm" aria-label="État des destinataires">
            {report.recipients.map(({ email, state }) => (
              <li key={email} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <span className="min-w-0 wrap-anywhere">{email}</span>
                <Badge tone={recipientStates[state].tone}>{recipientStates[state].word}</Badge>
              </li>
            ))}
          </ul>
        )}
        {save.error && <ErrorNote>{statementOf(save.error)}</ErrorNote>}
        <Button type="submit" variant="primary" busy={save.isPending}>
          Enregistrer
        </Button>
      </form>
      {isLeaving && (
        <ConfirmDialog
          open
          title={`Supprimer «\u202f${report.title}\u202f»\u202f?`}
          confirmLabel="Supprimer"
          busy={remove.isPending}
          error={remove.error?.message}
          onClose={() => setLeaving(false)}
          onConfirm={() =>
            remove.mutate({ params: { id: report.id } }, { onSuccess: () => setLeaving(false) })
          }
        >
          <p>Ses éditions disparaissent avec lui, et leurs adresses ne mènent plus à rien.</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

/** Returns the blocks with one of them moved one place up. */
function moved(blocks: readonly ReportBlock[], at: number): ReportBlock[] {
  const next = [...blocks]
  next.splice(at - 1, 0, ...next.splice(at, 1))
  return next
}
