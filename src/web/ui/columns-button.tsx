import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { type Column, type ColumnChoice, choosableColumns } from '#web/ui/columns.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FieldGroup } from '#web/ui/field.tsx'
import { Checkbox } from '#web/ui/inputs.tsx'
import { NARROW, useMediaQuery } from '#web/ui/media-query.ts'

type ColumnsButtonProps<Row> = {
  columns: readonly Column<Row>[]
  choice: ColumnChoice
  onChoose: (choice: ColumnChoice) => void
  /** The media query under which the list is made of cards, as its Table has it. */
  cards?: string
}

/** « Colonnes »: what a list says of each row. */
export function ColumnsButton<Row>({ columns, choice, onChoose, cards = NARROW }: ColumnsButtonProps<Row>) {
  const [isOpen, setOpen] = useState(false)
  const isCard = useMediaQuery(cards)
  const all = choosableColumns(columns, choice, isCard)
  const choose = (key: string, isShown: boolean, isUsual: boolean) => {
    const { [key]: _before, ...others } = choice
    onChoose(isShown === isUsual ? others : { ...others, [key]: isShown })
  }
  return (
    <>
      <Button icon={Columns3} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Colonnes
      </Button>
      <Dialog
        open={isOpen}
        size="sm"
        title="Colonnes"
        onClose={() => setOpen(false)}
        footer={
          <>
            <Button disabled={Object.keys(choice).length === 0} onClick={() => onChoose({})}>
              Rétablir
            </Button>
            <Button variant="primary" onClick={() => setOpen(false)}>
              Fermer
            </Button>
          </>
        }
      >
        <FieldGroup label="Afficher" hint="Votre choix est gardé sur cet appareil.">
          {all.map(({ key, header, isShown, isUsual }) => (
            <Checkbox
              key={key}
              label={header}
              checked={isShown}
              onChange={(event) => choose(key, event.currentTarget.checked, isUsual)}
            />
          ))}
        </FieldGroup>
      </Dialog>
    </>
  )
}
