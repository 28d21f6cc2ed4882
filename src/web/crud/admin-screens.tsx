import type { FieldValues } from 'react-hook-form'
import { type DetailLayout, DetailScreen } from '#web/crud/detail-screen.tsx'
import { EditScreen } from '#web/crud/edit-screen.tsx'
import { FormDialog } from '#web/crud/form-dialog.tsx'
import { ListScreen, type ListSlots } from '#web/crud/list-screen.tsx'
import type { AnyRow, ListQuery, Resource, Screens, Subject } from '#web/crud/screens.ts'

/** The screens of a resource, from what its contract says and what is particular to it. */
export function adminScreens<
  Row extends AnyRow,
  Values extends FieldValues,
  Query extends ListQuery,
  Label extends string,
>(resource: Resource<Row, Values, Query, Label>, screens: Screens<Row, Values, Query, NoInfer<Label>>) {
  // The resource's own schemas make the values and the query that the screens of the same resource are given.
  const subject = { resource, screens } as unknown as Subject<Row>
  return {
    ListPage: (slots: ListSlots) => <ListScreen subject={subject} {...slots} />,
    DetailPage: ({ children }: { children?: DetailLayout<Row> }) => (
      <DetailScreen subject={subject}>{children}</DetailScreen>
    ),
    CreateDialog: (props: { onCreated: (row: Row) => void; onClose: () => void }) => (
      <FormDialog subject={subject} {...props} />
    ),
    EditPage: () => <EditScreen subject={subject} />,
  }
}
