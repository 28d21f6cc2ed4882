import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Report, type ReportBlock, reports } from '#features/reports/reports.contract.ts'
import { blockKinds, blockNames, mostBlocks } from '#features/reports/reports.rules.ts'
import { BlockFields } from '#features/reports/ui/block-fields.tsx'
import { useReportDraft } from '#features/reports/ui/report-draft.ts'
import { ReportIssues } from '#features/reports/ui/report-issues.tsx'
import { SendingFields } from '#features/reports/ui/sending-fields.tsx'
import { RefusalNote } from '#web/forms/refusal.tsx'
import { useAction } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { AbandonDialog } from '#web/ui/dialog.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { TextareaField, TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

const recipientStates = {
  waiting: { tone: 'amber', word: 'pas encore confirmé' },
  confirmed: { tone: 'green', word: 'confirmé' },
  left: { tone: 'grey', word: 'n’en veut plus' },
} as const

type ReportEditorProps = { report: Report; onRemoved: () => void }

/** The content, schedule and recipients of a report, saved together; then its issues, made of what is saved. */
export function ReportEditor({ report, onRemoved }: ReportEditorProps) {
  const [isLeaving, setLeaving] = useState(false)
  const form = useReportDraft(report)
  const { title, blocks, schedule, addresses } = form.draft
  const remove = useAction(reports.remove, {
    onDone: () => {
      form.release()
      onRemoved()
    },
  })
  const setBlocks = (next: ReportBlock[]) => form.change({ blocks: next })
  const setBlock = (at: number, block: ReportBlock) =>
    setBlocks(blocks.map((each, i) => (i === at ? block : each)))
  return (
    <>
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
          // The browser cannot show an error in a block that is closed: the server's are shown under their fields.
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            form.save()
          }}
        >
          <TextField
            label="Titre"
            required
            maxLength={120}
            value={title}
            error={form.faults.title}
            onChange={(event) => form.change({ title: event.target.value })}
          />
          <fieldset>
            <legend className="mb-1 font-medium">Blocs, dans l’ordre de la page</legend>
            <ul className="divide-y divide-line rounded-md border border-line">
              {blocks.map((block, at) => (
                <BlockFields
                  // biome-ignore lint/suspicious/noArrayIndexKey: two blocks may be equal; a place is what tells them apart.
                  key={at}
                  block={block}
                  error={form.faults.blockAt(at)}
                  onChange={(next) => setBlock(at, next)}
                  onUp={at > 0 ? () => setBlocks(moved(blocks, at)) : undefined}
                  onRemove={
                    blocks.length > 1 ? () => setBlocks(blocks.filter((_, i) => i !== at)) : undefined
                  }
                />
              ))}
            </ul>
            {form.faults.blocks && <FieldError>{form.faults.blocks}</FieldError>}
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
          <SendingFields schedule={schedule} onChange={(next) => form.change({ schedule: next })} />
          <TextareaField
            label="Destinataires, une adresse par ligne"
            hint="Chacun reçoit d’abord un e-mail où il confirme. Il se désabonne d’un clic."
            rows={3}
            value={addresses}
            error={form.faults.addresses}
            onChange={(event) => form.change({ addresses: event.target.value })}
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
          <RefusalNote refusal={form.refusal} onReload={form.reload} />
          <Button type="submit" variant="primary" busy={form.isSaving}>
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
      <ReportIssues id={report.id} listed={report.lastIssue?.state} isUnsaved={form.isDirty} />
      {form.question && <AbandonDialog onStay={form.question.stay} onLeave={form.question.leave} />}
    </>
  )
}

/** Returns the blocks with one of them moved one place up. */
function moved(blocks: readonly ReportBlock[], at: number): ReportBlock[] {
  const next = [...blocks]
  next.splice(at - 1, 0, ...next.splice(at, 1))
  return next
}
