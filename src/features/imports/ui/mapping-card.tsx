import { useState } from 'react'
import { type Import, mapImport } from '#features/imports/imports.contract.ts'
import { useImportKinds } from '#features/imports/ui/kinds.ts'
import { wideColumnsOf } from '#features/mappings/columns.rules.ts'
import type { Mapping, ProposedTable } from '#features/mappings/mappings.contract.ts'
import { FieldSource } from '#features/mappings/ui/field-source.tsx'
import { FirstRows } from '#features/mappings/ui/first-rows.tsx'
import { ApiError } from '#web/api.ts'
import { quoted } from '#web/crud/words.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { useFaultFocus } from '#web/forms/saving.ts'
import { statementOf, useAction } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { AbandonDialog } from '#web/ui/dialog.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'
import { TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useUnsavedWork } from '#web/unsaved.ts'

/**
 * The form for the columns of a foreign table: proposed, corrected, checked, and saved under a name for later files.
 */
export function MappingCard({ row }: { row: Import }) {
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState<Mapping | null>(null)
  const { table, mapping, state } = row
  const isAsked = state === 'unmapped' || (state === 'failed' && row.hasFile)
  if (!table || !(isAsked || state === 'checked')) return null
  if (isAsked || isOpen) {
    const close = () => {
      setOpen(false)
      setDraft(null)
    }
    return <MappingForm row={row} table={table} typed={draft} onType={setDraft} onDone={close} />
  }
  return (
    <Card
      title="Colonnes"
      description={
        mapping?.name
          ? `Lues selon la correspondance ${quoted(mapping.name)}.`
          : 'Lues comme vous l’avez dit pour ce fichier.'
      }
      actions={<Button onClick={() => setOpen(true)}>Modifier les colonnes</Button>}
      padded={false}
    />
  )
}

type MappingFormProps = {
  row: Import
  table: ProposedTable
  /** The mapping as changed by the user and not saved yet; null without a change. */
  typed: Mapping | null
  onType: (draft: Mapping) => void
  onDone: () => void
}

function MappingForm({ row, table, typed, onType, onDone }: MappingFormProps) {
  const { fields: all = [] } = useImportKinds()[row.kind]
  const proposed = row.mapping ?? table.proposal
  // Names are decided elsewhere on the page.
  const draft = typed ? { ...typed, names: proposed.names } : proposed
  const [attempts, setAttempts] = useState(0)
  const places = useFaultFocus(attempts)
  const { question } = useUnsavedWork(typed !== null)
  const wide = wideColumnsOf(draft)
  const fields = all.filter(
    ({ key }) => !wide || all.find((field) => field.key === wide.key)?.inTitles?.cells !== key,
  )
  const attempt = useAttempt()
  const save = useAction(mapImport, {
    onDone() {
      attempt.end()
      onDone()
    },
  })
  const faults = new Map(
    save.error instanceof ApiError ? save.error.faults.map(({ field, message }) => [field, message]) : [],
  )
  const known = row.mapping ? null : table.proposal.name
  const change = (part: Partial<Mapping>) => onType({ ...draft, ...part })
  const isBlank = (key: string) => {
    const source = draft.fields[key]
    return source !== undefined && 'value' in source && source.value.trim() === ''
  }
  const faultOf = (key: string) =>
    attempts > 0 && isBlank(key)
      ? 'Ce champ est obligatoire'
      : (faults.get(key) ?? faults.get(`fields.${key}`))
  const assign = (key: string, source: Mapping['fields'][string] | undefined) => {
    const { [key]: _before, ...others } = draft.fields
    change({ fields: source ? { ...others, [key]: source } : others })
  }
  return (
    <Card
      title={'Que contiennent les colonnes\u202f?'}
      description={
        known
          ? `Ce tableau est celui de la correspondance ${quoted(known)}, proposée ci-dessous. Rien n’est écrit avant votre accord.`
          : 'Ces titres ne sont pas les nôtres. Voici ce qu’ils semblent dire\u00a0: corrigez au besoin. Rien n’est écrit avant votre accord.'
      }
    >
      <form
        noValidate
        className="space-y-5"
        onSubmit={(event) => {
          event.preventDefault()
          setAttempts(attempts + 1)
          if (Object.keys(draft.fields).some(isBlank)) return
          const params = { id: row.id }
          save.mutate({ params, body: draft, headers: attempt.headersFor({ ...params, ...draft }) })
        }}
      >
        <div ref={places} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {fields.map((field) => (
            <FieldSource
              key={field.key}
              field={field}
              table={table}
              source={draft.fields[field.key]}
              titlesLeft={table.titles.filter((title) => !isUsed(draft, title))}
              error={faultOf(field.key)}
              onChange={(source) => assign(field.key, source)}
            />
          ))}
          <SelectField
            label="Décimales des prix"
            options={decimals}
            value={draft.decimal}
            onChange={({ currentTarget }) =>
              change({
                decimal: decimals.find(({ value }) => value === currentTarget.value)?.value ?? 'auto',
              })
            }
          />
          <SelectField
            label="Dates comme 03/05/2026"
            options={orders}
            value={draft.dateOrder}
            onChange={({ currentTarget }) =>
              change({
                dateOrder: orders.find(({ value }) => value === currentTarget.value)?.value ?? 'auto',
              })
            }
          />
        </div>
        <FirstRows table={table} draft={draft} fields={fields} />
        <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
          <TextField
            label="Retenir sous le nom"
            hint="Facultatif. Le prochain fichier qui a ces titres sera lu de la même façon."
            maxLength={100}
            value={draft.name ?? ''}
            error={faults.get('name')}
            onChange={({ currentTarget }) => change({ name: currentTarget.value || null })}
          />
        </div>
        {save.error && <ErrorNote>{statementOf(save.error)}</ErrorNote>}
        <div className="flex flex-wrap justify-end gap-3">
          {row.state === 'checked' && <Button onClick={onDone}>Annuler</Button>}
          <Button type="submit" variant="primary" busy={save.isPending}>
            Essayer à blanc
          </Button>
        </div>
      </form>
      {question && <AbandonDialog onStay={question.stay} onLeave={question.leave} />}
    </Card>
  )
}

const decimals: readonly { value: Mapping['decimal']; label: string }[] = [
  { value: 'auto', label: 'D’après toute la colonne' },
  { value: ',', label: 'Virgule\u00a0: 58,000 vaut 58' },
  { value: '.', label: 'Point\u00a0: 58,000 vaut 58\u202f000' },
]

const orders: readonly { value: Mapping['dateOrder']; label: string }[] = [
  { value: 'auto', label: 'D’après toute la colonne' },
  { value: 'day', label: 'Jour, mois, année' },
  { value: 'month', label: 'Mois, jour, année' },
]

function isUsed({ fields }: Mapping, title: string): boolean {
  return Object.values(fields).some((source) => 'column' in source && source.column === title)
}
