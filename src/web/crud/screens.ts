import type { LucideIcon } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import type {
  FieldValues,
  Path,
  RegisterOptions,
  UseFormRegisterReturn,
  UseFormReturn,
} from 'react-hook-form'
import type { z } from 'zod'
import type { Endpoint, Right } from '#shared/contract.ts'
import type { Noun, ResourceRights } from '#shared/resource.ts'
import type { DeclaredFilter } from '#web/crud/filters.tsx'
import type { OfOne } from '#web/forms/row-form.ts'
import type { SessionUser } from '#web/session.ts'
import type { Fact } from '#web/ui/card.tsx'
import type { Column } from '#web/ui/columns.ts'
import type { SortState } from '#web/ui/table.tsx'
import type { SearchOptions } from '#web/ui/use-options.ts'

export type AnyRow = { id: number }
export type ListQuery = {
  page: number
  limit: number
  sort?: string | undefined
  search?: string | undefined
}

/** The part of a resource that the screens use; `defineResource` makes one. */
export type Resource<Row, Values, Query, Label extends string = string> = {
  name: string
  listed: string
  noun: Noun
  permission: ResourceRights
  input: z.ZodType<FieldValues, Values>
  change: z.ZodType<FieldValues, Partial<Values>>
  query: z.ZodType<Query>
  sortable: readonly string[]
  labels: Readonly<Record<Label, string>>
  figureLabels?: Readonly<Record<string, string>> | undefined
  versioned: string
  list: Endpoint
  figures: Endpoint
  exportAll: Endpoint
  find: OfOne & { response: z.ZodType<Row> }
  create: Endpoint
  update: OfOne
  merge: OfOne
  remove: OfOne
}

/** A field of the contract, with its title there unless `label` is given, or another value with its own label. */
type Labelled<Label extends string> = { key: Label; label?: string } | { key: string; label: string }

type Filter<Query, Label extends string> = Labelled<Label> &
  Omit<DeclaredFilter, 'label'> & {
    /** The query parameter. */
    key: Exclude<keyof Query, keyof ListQuery> & string
  }

/** An action on a row besides details, edit and delete: an icon button that opens a dialog. */
export type RowAction<Row> = {
  /** Label of the button, « Changer le statut »; the name of the row is appended. */
  label: string
  icon: LucideIcon
  /** Permission required; when absent, every user who sees the list. */
  right?: Right
  /** Whether the action applies to this row, for the current user. */
  fits?: (row: Row, user: SessionUser) => boolean
  dialog: ComponentType<{ row: Row; onClose: () => void }>
}

/** A column of a list. A column of the contract has its title there. */
export type ListColumn<Row, Label extends string> = Omit<Column<Row>, 'key' | 'header'> &
  ({ key: Label; header?: string } | { key: string; header: string })

/** A line of the details: a field of the contract, or another value with its own label. */
export type Detail<Label extends string> =
  | { key: Label; value: ReactNode }
  | { label: string; value: ReactNode }

/** The form, as given to its fields. */
export type Fields<Values extends FieldValues, Label extends string = string> = UseFormReturn<
  Values,
  unknown,
  FieldValues
> & {
  /** Returns the props of a field's control: its label from the contract, its error and its registration. */
  field: <Name extends Path<Values> & Label>(
    name: Name,
    options?: RegisterOptions<Values, Name>,
  ) => UseFormRegisterReturn<Name> & { label: string; error: string | undefined }
  labels: Readonly<Record<Label, string>>
  /** Share of a form with a file that has been sent, from 0 to 1; null when nothing is being sent. */
  sent: number | null
}

/** The rows that refer to a row: their number when counted, their noun, and the page that lists them. */
export type Usage = {
  count?: number
  one: string
  many: string
  to: string
  search?: Record<string, string | number>
}

/** Layout of a list as cards. */
type CardLayout<Row> = {
  layout?: 'cards'
  /** An additional link of a row, besides its details: `Statistiques`. */
  link?: (row: Row) => { label: string; to: string; search?: Record<string, string | number> }
}

/** Layout of a list as a table, sorted by its headers; the user chooses the columns. */
type TableLayout = {
  layout: 'table'
  /** Default order of the list on the server. */
  ownOrder?: SortState
  /** Media query under which rows become cards: below 640 px by default, wider for a table of many columns. */
  cards?: string
  /** Two buttons, shown when there is more than one page, without inputs for the page and its size. */
  pager?: 'plain'
}

/** Settings of the screens of one resource. */
export type Screens<Row, Values extends FieldValues, Query, Label extends string = string> = {
  /** Address of the list. */
  path: string
  /** Address of a row; without it, its details open in a dialog. */
  detailPath?: (row: Row) => string
  /** Address of the edit form, linked from the details; without it, the form opens in a dialog. */
  editPath?: (row: Row) => string
  /** Title of the list, when it is not the noun: « Gestion des Utilisateurs ». */
  title?: string
  /** Verb of the creation button, when it is not « Créer »: « Noter » a voice message. */
  createVerb?: string
  /** One sentence that says what the list is for. */
  description: string
  /** Text under the row's name on its page, when it is not the noun. */
  aboutOf?: (row: Row) => string
  /** Title for a row that does not exist or does not load; « Marque introuvable » by default. */
  missingTitle?: string
  /** Text of the empty list for users who may create rows; others read « La liste des marques est vide… ». */
  whenEmpty?: string
  /** Placeholder of the search when it covers more than the name: « Nom ou code… » */
  searchHint?: string
  /** Returns the name of a row. */
  nameOf: (row: Row) => string
  /**
   * Columns of the list: on cards, shown besides the name; in a table, all its columns, of which the first (or the one
   * whose `card` is `title`) links to the details. Headers of sortable fields of the contract sort the table.
   */
  columns: readonly ListColumn<Row, Label>[]
  filters?: readonly Filter<Query, Label>[]
  /** Returns the rows that refer to a row and prevent its deletion, and where they are listed. */
  usedBy?: (row: Row) => Usage | null
  /** What a deletion removes and what it leaves, shown before it is confirmed. */
  deletionEffect?: string
  /**
   * Settings of merging two rows: what moves with the merged row (« ses produits »), and the search for the other row.
   */
  merge?: { moves: string; search: SearchOptions }
  rowActions?: readonly RowAction<Row>[]
  /** Whether the current user may neither edit nor delete this row. */
  isLocked?: (row: Row, user: SessionUser) => boolean
  /** Whether this row may be edited but not deleted. */
  isKept?: (row: Row, user: SessionUser) => boolean
  blank: Values
  /** Initial values of the edit form, when they are not the row's fields of the same names. */
  valuesOf?: (row: Row) => Partial<Values>
  /**
   * Fields that must be filled, or a condition to meet, before the button is enabled; `row` is the row to edit,
   * undefined to create. Without it, missing fields are reported on submit.
   */
  requiredToSubmit?: readonly (keyof Values & string)[] | ((typed: Values, row: Row | undefined) => boolean)
  /** A question to the user before the form is sent. */
  useConfirmation?: (row: Row | undefined) => Confirmation<Values>
  /** The form's fields, the same to create and to edit; `row` is the row to edit, undefined to create. */
  form: (form: Fields<Values, Label>, row: Row | undefined) => ReactNode
  /** Width of the form's dialog. */
  formSize?: 'sm' | 'md' | 'lg'
  /** Lines of the detail page or dialog; absent when the page is written by hand. */
  details?: (row: Row) => readonly Detail<Label>[]
} & (CardLayout<Row> | TableLayout)

/** `isSure` resolves to whether to send the form, after the user has answered; `question` renders the open question. */
export type Confirmation<Values> = { isSure: (typed: Values) => Promise<boolean>; question: ReactNode }

/** A resource with its screens, as passed between the generic components, where fields and filters are plain names. */
export type Subject<Row> = {
  resource: Resource<Row, FieldValues, ListQuery>
  screens: Screens<Row, FieldValues, ListQuery & Record<string, unknown>>
}

/** Returns the columns of a list with their titles. */
export function columnsOf<Row>({ resource, screens }: Subject<Row>): readonly Column<Row>[] {
  return screens.columns.map((column) => ({
    ...column,
    header: column.header ?? resource.labels[column.key] ?? column.key,
  }))
}

/** Returns the lines of a row's details with their labels. */
export function detailsOf<Row>({ resource, screens }: Subject<Row>, row: Row): Fact[] {
  return (screens.details?.(row) ?? []).map((detail) => ({
    label: 'label' in detail ? detail.label : (resource.labels[detail.key] ?? detail.key),
    value: detail.value,
  }))
}
