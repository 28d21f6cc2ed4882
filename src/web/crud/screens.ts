import type { ComponentType, ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract.ts'
import type { idParams } from '#shared/fields.ts'
import type { Permission } from '#shared/permissions.ts'
import type { Noun } from '#shared/resource.ts'
import type { FigureSet } from '#web/crud/figures.tsx'
import type { FilterControlProps } from '#web/forms/suggestions.tsx'
import type { Column } from '#web/ui/columns.ts'

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
export type Resource<Row, Values, Query> = {
  name: string
  listed: string
  noun: Noun
  permission: { write: Permission }
  input: z.ZodType<FieldValues, Values>
  query: z.ZodType<Query>
  sortable: readonly string[]
  versioned: string
  list: Endpoint
  exportAll: Endpoint
  find: OfOne & { response: z.ZodType<Row> }
  create: Endpoint
  update: OfOne
  remove: OfOne
}

type Filter<Query> = {
  /** The query parameter. */
  key: Exclude<keyof Query, keyof ListQuery> & string
  label: string
  control: ComponentType<FilterControlProps>
  /** How a value is written where it is in force; as it is without it. */
  chip?: ComponentType<{ value: string }>
}

export type Fields<Values extends FieldValues> = UseFormReturn<Values, unknown, FieldValues>

/** What is particular to the screens of one resource. */
export type Screens<Row, Values extends FieldValues, Query, Figure extends string = string> = {
  /** Address of the list. */
  path: string
  /** Address of one; without it, its details open in a dialog. */
  detailPath?: (row: Row) => string
  /** Where else one leads, beside its details: `Statistiques`. */
  link?: (row: Row) => { label: string; to: string; search?: Record<string, string | number> }
  /** One sentence that says what the list is for. */
  description: string
  /** What one is called. */
  nameOf: (row: Row) => string
  /** What a list says of each, beside its name. */
  columns: readonly Column<Row>[]
  filters?: readonly Filter<Query>[]
  /** Counts above the list. */
  figures?: FigureSet<Figure>
  blank: Values
  /** The button waits until these are filled; without them, whatever lacks is said when it is pressed. */
  awaited?: readonly (keyof Values & string)[]
  /** The fields, the same to create and to edit; `row` is what is edited, absent to create. */
  form: (form: Fields<Values>, row: Row | undefined) => ReactNode
  /** What the detail page or dialog says. */
  details: (row: Row) => { label: string; value: ReactNode }[]
}

/** A resource with its screens, as the parts of the mechanism hand them on: fields and filters are only names there. */
export type Subject<Row> = {
  resource: Resource<Row, FieldValues, ListQuery>
  screens: Screens<Row, FieldValues, ListQuery & Record<string, unknown>>
}
