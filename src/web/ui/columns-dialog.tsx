import { Button } from '#web/ui/button.tsx'
import type { ColumnChoice, choosableColumns } from '#web/ui/columns.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FieldGroup } from '#web/ui/field.tsx'
import { Checkbox } from '#web/ui/inputs.tsx'

type ColumnsDialogProps = {
  columns: ReturnType<typeof choosableColumns>
  choice: ColumnChoice
  onChoose: (choice: ColumnChoice) => void
  onClose: () => void
}

/** The choice of the columns of a list, as checkboxes. */
export function ColumnsDialog({ columns, choice, onChoose, onClose }: ColumnsDialogProps) {
  const choose = (key: string, isShown: boolean, isUsual: boolean) => {
    const { [key]: _before, ...others } = choice
    onChoose(isShown === isUsual ? others : { ...others, [key]: isShown })
  }
  return (
    <Dialog
      open
      size="sm"
      title="Colonnes"
      onClose={onClose}
      footer={
        <>
          <Button disabled={Object.keys(choice).length === 0} onClick={() => onChoose({})}>
            Rétablir
          </Button>
          <Button variant="primary" onClick={onClose}>
            Fermer
          </Button>
        </>
      }
    >
      <FieldGroup label="Afficher" hint="Votre choix est gardé sur cet appareil.">
        {columns.map(({ key, header, isShown, isUsual }) => (
          <Checkbox
            key={key}
            label={header}
            checked={isShown}
            onChange={(event) => choose(key, event.currentTarget.checked, isUsual)}
          />
        ))}
      </FieldGroup>
    </Dialog>
  )
}
