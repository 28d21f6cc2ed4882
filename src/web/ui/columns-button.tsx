import { Columns3 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyCode } from '#web/lazy-code.tsx'
import { Button } from '#web/ui/button.tsx'
import { type Column, type ColumnChoice, choosableColumns } from '#web/ui/columns.ts'
import { narrowScreen, useMediaQuery } from '#web/ui/media-query.ts'

const ColumnsDialog = lazyCode(() => import('#web/ui/columns-dialog.tsx'), 'ColumnsDialog', 'dialog')

type ColumnsButtonProps<Row> = {
  columns: readonly Column<Row>[]
  choice: ColumnChoice
  onChoose: (choice: ColumnChoice) => void
  /** Media query under which the list is shown as cards, the same as that of its Table. */
  cards?: string
}

/** « Colonnes »: opens the choice of the columns of a list. */
export function ColumnsButton<Row>({
  columns,
  choice,
  onChoose,
  cards = narrowScreen,
}: ColumnsButtonProps<Row>) {
  const [isOpen, setOpen] = useState(false)
  const isCard = useMediaQuery(cards)
  return (
    <>
      <Button icon={Columns3} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Colonnes
      </Button>
      <Suspense>
        {isOpen && (
          <ColumnsDialog
            columns={choosableColumns(columns, choice, isCard)}
            choice={choice}
            onChoose={onChoose}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}
