import type { FieldValues } from 'react-hook-form'
import { type DetailLayout, DetailScreen } from '#web/crud/detail-screen.tsx'
import { EditScreen } from '#web/crud/edit-screen.tsx'
import { FormDialog } from '#web/crud/form-dialog.tsx'
import { ListScreen, type ListSlots } from '#web/crud/list-screen.tsx'
import type { AnyRow, ListQuery, Resource, Screens, Subject } from '#web/crud/screens.ts'

/** Builds the screens of a resource from its contract and its particular settings. */
export function adminScreens<
  Row extends AnyRow,
  Values extends FieldValues,
  Query extends ListQuery,
  Label extends string,
>(resource: Resource<Row, Values, Query, Label>, screens: Screens<Row, Values, Query, NoInfer<Label>>) {
  // The types match: the values and the query come from the schemas of the same resource.
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
