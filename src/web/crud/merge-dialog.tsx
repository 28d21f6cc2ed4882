import { useState } from 'react'
import type { Endpoint } from '#shared/contract.ts'
import type { AnyRow, Subject } from '#web/crud/screens.ts'
import { quoted, wordsOf } from '#web/crud/words.ts'
import { capitalise } from '#web/format.ts'
import { statementOf, useAction } from '#web/query.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { Option } from '#web/ui/use-options.ts'

type MergeDialogProps<Row> = { subject: Subject<Row>; row: Row; onClose: () => void }

/** Merges a duplicate row into another one, which the user chooses; says what moves with it. */
export function MergeDialog<Row extends AnyRow>({ subject, row, onClose }: MergeDialogProps<Row>) {
  const { resource, screens } = subject
  const [into, setInto] = useState<Option | null>(null)
  const merge = useAction<Endpoint>(resource.merge, { onDone: onClose })
  const name = quoted(screens.nameOf(row))
  const isItself = into !== null && Number(into.value) === row.id
  if (!screens.merge) return null
  const { moves, search } = screens.merge
  return (
    <Dialog
      open
      size="sm"
      title={`Fusionner ${name}`}
      submitLabel="Fusionner"
      tone="danger"
      submitDisabled={into === null || isItself}
      busy={merge.isPending}
      error={merge.error && statementOf(merge.error)}
      onSubmit={() => into && merge.mutate({ params: { id: row.id }, body: { intoId: Number(into.value) } })}
      onClose={onClose}
    >
      <div className="space-y-4">
        <Combobox
          label="Avec"
          required
          value={into}
          onChange={setInto}
          search={search}
          error={isItself ? `Choisissez-en ${resource.noun.gender === 'f' ? 'une' : 'un'} autre.` : undefined}
        />
        <p>{`${capitalise(wordsOf(resource.noun).the)} ${name} disparaît, et ${moves} rejoignent ce que vous choisissez. Tout ce qui en dépend suit. Cette action est irréversible.`}</p>
      </div>
    </Dialog>
  )
}
