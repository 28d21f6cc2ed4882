import { useState } from 'react'
import type { Endpoint } from '#shared/contract.ts'
import type { Noun } from '#shared/resource.ts'
import type { OfOne } from '#web/crud/screens.ts'
import { quoted, wordsOf } from '#web/crud/words.ts'
import { statementOf, useAction } from '#web/query.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { Option, SearchOptions } from '#web/ui/use-options.ts'

type MergeDialogProps = {
  resource: { noun: Noun }
  /** Its body is `{ intoId }`. */
  endpoint: OfOne & Endpoint
  row: { id: number; name: string }
  /** What goes along: « ses produits ». */
  brings: string
  search: SearchOptions
  onClose: () => void
}

/** Makes one of two that are the same: into which, and what goes along. */
export function MergeDialog({ resource, endpoint, row, brings, search, onClose }: MergeDialogProps) {
  const [into, setInto] = useState<Option | null>(null)
  const merge = useAction<Endpoint>(endpoint, { onDone: onClose })
  const words = wordsOf(resource.noun)
  const isItself = into !== null && Number(into.value) === row.id
  return (
    <Dialog
      open
      size="sm"
      title={`Fusionner ${quoted(row.name)}`}
      submitLabel="Fusionner"
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
          error={isItself ? 'Choisissez-en un autre.' : undefined}
        />
        <p>{`${words.the.charAt(0).toUpperCase()}${words.the.slice(1)} ${quoted(row.name)} disparaît, et ${brings} rejoignent ce que vous choisissez. Tout ce qui en dépend suit. Cette action est irréversible.`}</p>
      </div>
    </Dialog>
  )
}
