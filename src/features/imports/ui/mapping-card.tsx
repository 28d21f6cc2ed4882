import { useState } from 'react'
import { type Import, mapImport } from '#features/imports/imports.contract.ts'
import { useImportKinds } from '#features/imports/ui/kinds.ts'
import { acrossOf } from '#features/mappings/columns.rules.ts'
import type { FieldWords, Mapping, TableHeadRow } from '#features/mappings/mappings.contract.ts'
import { ChosenTitles } from '#features/mappings/ui/chosen-titles.tsx'
import { readAmount } from '#shared/amounts.ts'
import { ApiError } from '#web/api.ts'
import { quoted } from '#web/crud/words.ts'
import { formatCount } from '#web/format.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { useFaultFocus } from '#web/forms/saving.ts'
import { statementOf, useAction } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { AbandonDialog } from '#web/ui/dialog.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'
import { Checkbox, TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Table } from '#web/ui/table.tsx'
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
  table: TableHeadRow
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
  const across = acrossOf(draft)
  const fields = all.filter(
    ({ key }) => !across || all.find((field) => field.key === across.key)?.inTitles?.cells !== key,
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
            <MappedField
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

// Values that no column title can have: titles are not blank.
const none = ''
const sameForAll = ' '
const acrossTitles = '  '

function fieldOf(choice: string, inTitles: true | string[]): Mapping['fields'][string] | undefined {
  if (choice === none) return undefined
  if (choice === sameForAll) return { value: '' }
  return choice === acrossTitles ? { inTitles } : { column: choice }
}

function isUsed({ fields }: Mapping, title: string): boolean {
  return Object.values(fields).some((source) => 'column' in source && source.column === title)
}

type MappedFieldProps = {
  field: FieldWords
  table: Pick<TableHeadRow, 'titles' | 'rows'>
  source: Mapping['fields'][string] | undefined
  /** The titles of columns without a meaning yet. */
  titlesLeft: string[]
  error: string | undefined
  onChange: (source: Mapping['fields'][string] | undefined) => void
}

function MappedField({
  field,
  table: { titles, rows },
  source,
  titlesLeft,
  error,
  onChange,
}: MappedFieldProps) {
  const { label, isRequired, isOfRow, isNeverGrouped, inTitles, otherwise, hint } = field
  const found = inTitles && 'of' in inTitles ? titles.filter(inTitles.of) : []
  const perColumn = inTitles && 'perColumn' in inTitles ? inTitles.perColumn : null
  const chosen = source && 'inTitles' in source && source.inTitles !== true ? source.inTitles : null
  const ofFigures = titlesLeft.filter((title) => {
    const cells = rows.map((cells) => cells[titles.indexOf(title)] ?? '').filter((cell) => cell.trim() !== '')
    return cells.length > 0 && cells.every((cell) => readAmount(cell) !== null)
  })
  const isValue = source !== undefined && 'value' in source
  const column = source && 'column' in source ? source : null
  const at = column ? titles.indexOf(column.column) : -1
  const isAbsent = column !== null && at < 0
  const hasBlanks = !isAbsent && rows.some((cells) => (cells[at] ?? '').trim() === '')
  const mayBeGrouped = !isNeverGrouped && (hasBlanks || column?.isGrouped)
  return (
    <div className="space-y-2">
      <SelectField
        label={label}
        required={isRequired}
        error={isValue ? undefined : error}
        options={[
          { value: none, label: isRequired ? 'À choisir' : 'Aucune' },
          ...(isOfRow ? [] : [{ value: sameForAll, label: 'Même valeur partout…' }]),
          ...(found.length > 0
            ? [
                {
                  value: acrossTitles,
                  label: `Titres de ${formatCount(found.length, 'colonne', 'colonnes')}`,
                },
              ]
            : []),
          ...(perColumn ? [{ value: acrossTitles, label: perColumn }] : []),
          ...titles.map((title) => ({ value: title, label: title })),
          ...(isAbsent ? [{ value: column.column, label: column.column }] : []),
        ]}
        value={source === undefined ? none : isValue ? sameForAll : column ? column.column : acrossTitles}
        hint={
          chosen
            ? `${formatCount(chosen.length, 'colonne choisie', 'colonnes choisies')}\u00a0: leur titre dit le nom, les prix sont dessous.`
            : source && 'inTitles' in source
              ? `De ${quoted(found[0] ?? '')} à ${quoted(found.at(-1) ?? '')}\u00a0: les prix sont dessous.`
              : isAbsent
                ? `Colonne absente de ce fichier${otherwise ? `\u00a0: ${otherwise.toLowerCase()}` : ''}`
                : source === undefined && otherwise
                  ? `Sans colonne\u00a0: ${otherwise}`
                  : undefined
        }
        onChange={({ currentTarget: { value } }) => onChange(fieldOf(value, perColumn ? ofFigures : true))}
      />
      {chosen && perColumn && (
        <ChosenTitles
          label={perColumn}
          titles={titles.filter((title) => chosen.includes(title) || titlesLeft.includes(title))}
          chosen={chosen}
          onChange={(inTitles) => onChange({ inTitles })}
        />
      )}
      {column && mayBeGrouped && (
        <Checkbox
          label={`${label}\u00a0: une cellule vide vaut celle du dessus`}
          checked={column.isGrouped ?? false}
          onChange={({ currentTarget: { checked } }) => onChange({ ...column, isGrouped: checked })}
        />
      )}
      {isValue && (
        <TextField
          label={`${label}, pour toutes les lignes`}
          hint={hint}
          required
          maxLength={200}
          value={source.value}
          error={error}
          onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
        />
      )}
    </div>
  )
}

type FirstRow = { cells: readonly string[]; index: number }

/** Shows the first rows unchanged, with the meaning of each column above its title. */
function FirstRows({
  table,
  draft,
  fields,
}: {
  table: TableHeadRow
  draft: Mapping
  fields: readonly FieldWords[]
}) {
  const labels = new Map(
    fields.flatMap(({ key, label }) => {
      const source = draft.fields[key]
      return source && 'column' in source ? [[source.column, label]] : []
    }),
  )
  const across = acrossOf(draft)
  const inTitles = fields.find(({ key }) => key === across?.key)
  if (across && inTitles)
    for (const title of table.titles) if (across.has(title)) labels.set(title, inTitles.label)
  const columns = table.titles.map((title, at) => ({ title, at }))
  const titles = [...labels.keys()]
  const place = ({ title }: { title: string }) => (labels.has(title) ? titles.indexOf(title) : titles.length)
  // Mapped columns first, since only the first ones are visible: date, market, product, price.
  const shown = columns.toSorted((a, b) => place(a) - place(b))
  return (
    <section aria-label="Premières lignes du fichier" className="min-w-0 space-y-2">
      <h3 className="font-semibold">Premières lignes</h3>
      <Table
        caption="Premières lignes du fichier"
        // No column is hidden: its content tells what it is.
        choice={Object.fromEntries(table.titles.map((title) => [title, true]))}
        columns={shown.map(({ title, at }) => ({
          key: title,
          header: labels.has(title) ? `${title} → ${labels.get(title)}` : title,
          className: labels.has(title) ? 'whitespace-nowrap' : 'whitespace-nowrap text-ink-soft',
          cell: ({ cells }: FirstRow) => cells[at] ?? '',
        }))}
        rows={table.rows.map((cells, index) => ({ cells, index }))}
        rowKey={({ index }) => index}
        empty={<p className="p-4 text-ink-soft">Aucune ligne sous les titres.</p>}
        cards={never}
      />
    </section>
  )
}

// A table of thirty columns stays a table on a phone too: it scrolls in its frame.
const never = '(width < 0px)'
