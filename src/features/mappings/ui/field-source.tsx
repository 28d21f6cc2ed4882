import type { FieldDescription, Mapping, ProposedTable } from '#features/mappings/mappings.contract.ts'
import { ChosenTitles } from '#features/mappings/ui/chosen-titles.tsx'
import { readAmount } from '#shared/amounts.ts'
import { quoted } from '#web/crud/words.ts'
import { formatCount } from '#web/format.ts'
import { Checkbox, TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

// Values that no column title can have: titles are not blank.
const none = ''
const sameForAll = ' '
const titlesOfColumns = '  '

function fieldOf(choice: string, inTitles: true | string[]): Mapping['fields'][string] | undefined {
  if (choice === none) return undefined
  if (choice === sameForAll) return { value: '' }
  return choice === titlesOfColumns ? { inTitles } : { column: choice }
}

type FieldSourceProps = {
  field: FieldDescription
  table: Pick<ProposedTable, 'titles' | 'rows'>
  source: Mapping['fields'][string] | undefined
  /** The titles of columns without a meaning yet. */
  titlesLeft: string[]
  error: string | undefined
  onChange: (source: Mapping['fields'][string] | undefined) => void
}

/** The source of a field: a column, a value for all rows, or the titles of columns. */
export function FieldSource({
  field,
  table: { titles, rows },
  source,
  titlesLeft,
  error,
  onChange,
}: FieldSourceProps) {
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
                  value: titlesOfColumns,
                  label: `Titres de ${formatCount(found.length, 'colonne', 'colonnes')}`,
                },
              ]
            : []),
          ...(perColumn ? [{ value: titlesOfColumns, label: perColumn }] : []),
          ...titles.map((title) => ({ value: title, label: title })),
          ...(isAbsent ? [{ value: column.column, label: column.column }] : []),
        ]}
        value={source === undefined ? none : isValue ? sameForAll : column ? column.column : titlesOfColumns}
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
