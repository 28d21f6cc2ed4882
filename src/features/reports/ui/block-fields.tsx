import { ArrowUp, Trash2 } from 'lucide-react'
import { categoryChoices } from '#features/categories/ui/choices.ts'
import { marketChoices } from '#features/markets/ui/choices.ts'
import { productChoices } from '#features/products/ui/choices.ts'
import type { ReportBlock } from '#features/reports/reports.contract.ts'
import { blockNames, periodOfBlock } from '#features/reports/reports.rules.ts'
import { ViewChoice } from '#features/reports/ui/view-choice.tsx'
import type { Choices } from '#web/forms/choices.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { TextareaField, TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

type BlockFieldsProps = {
  block: ReportBlock
  error: string | undefined
  onChange: (block: ReportBlock) => void
  onUp: (() => void) | undefined
  onRemove: (() => void) | undefined
}

const periods = [
  { value: '30d', label: '30\u00a0jours' },
  { value: '90d', label: '90\u00a0jours' },
  { value: '1y', label: '1\u00a0an' },
] as const

/** The fields of a block: its name, which opens its title, selection and period. */
export function BlockFields({ block, error, onChange, onUp, onRemove }: BlockFieldsProps) {
  const { kind, title, selection, text } = block
  const name = title ?? blockNames[kind]
  const choose = (filter: 'productId' | 'marketId' | 'categoryId') => (id: number | undefined) => {
    const { [filter]: _before, ...others } = selection
    onChange({ ...block, selection: id === undefined ? others : { ...others, [filter]: id } })
  }
  const hasPeriod = kind === 'figures' || kind === 'chart' || kind === 'comparison'
  return (
    <li className="flex items-start gap-1 px-3 py-1">
      <div className="min-w-0 flex-1">
        <details>
          <summary className="flex min-h-11 cursor-pointer items-center gap-2 wrap-anywhere">
            <span>
              {name}
              {title && title !== blockNames[kind] && (
                <span className="text-ink-soft">{`, ${blockNames[kind].toLowerCase()}`}</span>
              )}
            </span>
          </summary>
          <div className="space-y-3 pb-3">
            <TextField
              label="Titre du bloc"
              maxLength={120}
              placeholder={blockNames[kind]}
              value={title ?? ''}
              onChange={(event) => onChange({ ...block, title: event.target.value || null })}
            />
            {kind === 'text' ? (
              <TextareaField
                label="Texte"
                required
                rows={5}
                maxLength={4000}
                value={text ?? ''}
                onChange={(event) => onChange({ ...block, text: event.target.value })}
              />
            ) : (
              <>
                <ViewChoice
                  selection={selection}
                  onChoose={(chosen) => onChange({ ...block, selection: chosen })}
                />
                <Choice
                  label="Produit"
                  all="Tous les produits"
                  choices={productChoices}
                  id={selection.productId}
                  onChoose={choose('productId')}
                />
                <Choice
                  label="Catégorie"
                  all="Toutes les catégories"
                  choices={categoryChoices}
                  id={selection.categoryId}
                  onChoose={choose('categoryId')}
                />
                <Choice
                  label="Marché"
                  all="Tous les marchés"
                  choices={marketChoices}
                  id={selection.marketId}
                  onChoose={choose('marketId')}
                />
              </>
            )}
            {hasPeriod && (
              <SelectField
                label="Période"
                options={periods}
                value={periodOfBlock(block)}
                onChange={({ target }) =>
                  onChange({
                    ...block,
                    period: periods.find(({ value }) => value === target.value)?.value ?? null,
                  })
                }
              />
            )}
          </div>
        </details>
        {error && <FieldError>{error}</FieldError>}
      </div>
      {onUp && <IconButton icon={ArrowUp} label={`Monter «\u202f${name}\u202f»`} onClick={onUp} />}
      {onRemove && <IconButton icon={Trash2} label={`Retirer «\u202f${name}\u202f»`} onClick={onRemove} />}
    </li>
  )
}

type ChoiceProps = {
  label: string
  all: string
  choices: Choices
  id: number | undefined
  onChoose: (id: number | undefined) => void
}

function Choice({ label, all, choices, id, onChoose }: ChoiceProps) {
  const value = choices.useOption(id)
  return (
    <Combobox
      label={label}
      placeholder={all}
      value={value}
      search={choices.search}
      onChange={(option) => onChoose(option ? Number(option.value) : undefined)}
    />
  )
}
