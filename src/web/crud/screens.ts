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
import type { idParams } from '#shared/fields.ts'
import type { Noun, ResourceRights } from '#shared/resource.ts'
import type { DeclaredFilter } from '#web/crud/filters.tsx'
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

/** An endpoint about one row. */
export type OfOne = Endpoint & { params: typeof idParams }

/** What the screens need to know of a resource; `defineResource` makes one. */
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

/** A field that the contract names, or what is shown beside those, with a name of its own. */
type Labelled<Label extends string> = { key: Label; label?: string } | { key: string; label: string }

type Filter<Query, Label extends string> = Labelled<Label> &
  Omit<DeclaredFilter, 'label'> & {
    /** The query parameter. */
    key: Exclude<keyof Query, keyof ListQuery> & string
  }

/** What else can be done with one of a list, beside details, edit and delete: an icon button that opens a dialog. */
export type RowAction<Row> = {
  /** « Changer le statut »; what the row is called follows. */
  label: string
  icon: LucideIcon
  /** For holders of this right; without it, for everybody who sees the list. */
  right?: Right
  /** Whether there is such a thing to do with this row. */
  fits?: (row: Row) => boolean
  dialog: ComponentType<{ row: Row; onClose: () => void }>
}

/** What a list says of each row. The contract names the columns that it knows. */
export type ListColumn<Row, Label extends string> = Omit<Column<Row>, 'key' | 'header'> &
  ({ key: Label; header?: string } | { key: string; header: string })

/** A line of the details: what the contract names, or something else. */
export type Detail<Label extends string> =
  | { key: Label; value: ReactNode }
  | { label: string; value: ReactNode }

/** A form, as the fields in it are given it. */
export type Fields<Values extends FieldValues, Label extends string = string> = UseFormReturn<
  Values,
  unknown,
  FieldValues
> & {
  /** Spread into the control of a field: its name as the contract has it, its error, and what registers it. */
  field: <Name extends Path<Values> & Label>(
    name: Name,
    options?: RegisterOptions<Values, Name>,
  ) => UseFormRegisterReturn<Name> & { label: string; error: string | undefined }
  labels: Readonly<Record<Label, string>>
  /** How much of a form with a file has left, from 0 to 1; null while nothing is sent. */
  sent: number | null
}

/** What uses one, how much of it where it is counted, and the page that shows it. */
export type Usage = {
  count?: number
  one: string
  many: string
  to: string
  search?: Record<string, string | number>
}

/** How the rows of a list stand: each in a card… */
type CardLayout<Row> = {
  layout?: 'cards'
  /** Where else one leads, beside its details: `Statistiques`. */
  link?: (row: Row) => { label: string; to: string; search?: Record<string, string | number> }
}

/** …or each on a line, sorted by the headers; people choose the columns. */
type TableLayout = {
  layout: 'table'
  /** The list's own order, as the server has it. */
  ownOrder?: SortState
  /** The media query under which lines become cards: below 640 px, later for a table of many columns. */
  cards?: string
  /** Two buttons when there is more than one page, without the page and its size to type. */
  pager?: 'plain'
}

/** What is particular to the screens of one resource. */
export type Screens<Row, Values extends FieldValues, Query, Label extends string = string> = {
  /** Address of the list. */
  path: string
  /** Address of one; without it, its details open in a dialog. */
  detailPath?: (row: Row) => string
  /** Address of the form to edit one, for who is looking at its details; without it, it opens in a dialog. */
  editPath?: (row: Row) => string
  /** Over the list, when it is not the noun: « Gestion des Utilisateurs ». */
  title?: string
  /** What is done to have one more, where « Créer » is not the word: « Noter » a spoken message. */
  createVerb?: string
  /** One sentence that says what the list is for. */
  description: string
  /** Under its name on its page, when it is not the noun. */
  aboutOf?: (row: Row) => string
  /** What is said of one that does not exist, or does not load; « Marque introuvable » without it. */
  missingTitle?: string
  /** What is said while there is none, to users who may create one: others read « La liste des marques est vide… ». */
  whenEmpty?: string
  /** What the search looks into, where that is not only the name: « Nom ou code… » */
  searchHint?: string
  /** What one is called. */
  nameOf: (row: Row) => string
  /**
   * What a list says of each: beside its name on cards; in a table, all of it, and the first column leads to the details
   * (or the one whose `card` is `title`). Headers sort by the keys that the contract calls sortable.
   */
  columns: readonly ListColumn<Row, Label>[]
  filters?: readonly Filter<Query, Label>[]
  /** What uses one, so that it cannot be deleted: how much, and where that is seen. */
  usedBy?: (row: Row) => Usage | null
  /** What goes and what stays with one that is deleted, said before it is. */
  aftermath?: string
  /** Two can be made one: what goes along (« ses produits »), and how the other is found. */
  merge?: { brings: string; search: SearchOptions }
  rowActions?: readonly RowAction<Row>[]
  /** Whether this one is not to be edited or deleted, by the current user. */
  isLocked?: (row: Row, user: SessionUser) => boolean
  /** Whether this one may be edited, but not deleted. */
  isKept?: (row: Row, user: SessionUser) => boolean
  blank: Values
  /** What the form to edit starts with, where that is not the row's own fields of the same names. */
  valuesOf?: (row: Row) => Partial<Values>
  /** The button waits until these are filled, or for what this says; without it, what lacks is said when it is pressed. */
  awaited?: readonly (keyof Values & string)[] | ((typed: Values) => boolean)
  /** What is asked before what was typed is sent. */
  useDoubt?: (row: Row | undefined) => Doubt<Values>
  /** The fields, the same to create and to edit; `row` is what is edited, absent to create. */
  form: (form: Fields<Values, Label>, row: Row | undefined) => ReactNode
  /** The width of its dialog. */
  formSize?: 'sm' | 'md' | 'lg'
  /** What the detail page or dialog says; nothing where a page is made by hand. */
  details?: (row: Row) => readonly Detail<Label>[]
} & (CardLayout<Row> | TableLayout)

/** Whether what was typed is to be sent, once a question about it is answered; and the question while it is asked. */
export type Doubt<Values> = { isSure: (typed: Values) => Promise<boolean>; question: ReactNode }

/** A resource with its screens, as the parts of the mechanism hand them on: fields and filters are only names there. */
export type Subject<Row> = {
  resource: Resource<Row, FieldValues, ListQuery>
  screens: Screens<Row, FieldValues, ListQuery & Record<string, unknown>>
}

/** The columns of a list, each with its name. */
export function columnsOf<Row>({ resource, screens }: Subject<Row>): readonly Column<Row>[] {
  return screens.columns.map((column) => ({
    ...column,
    header: column.header ?? resource.labels[column.key] ?? column.key,
  }))
}

/** What the details of a row say, each with its name. */
export function detailsOf<Row>({ resource, screens }: Subject<Row>, row: Row): Fact[] {
  return (screens.details?.(row) ?? []).map((detail) => ({
    label: 'label' in detail ? detail.label : (resource.labels[detail.key] ?? detail.key),
    value: detail.value,
  }))
}
