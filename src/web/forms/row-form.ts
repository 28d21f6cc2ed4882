import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import type { z } from 'zod'
import type { Endpoint } from '#shared/contract.ts'
import type { idParams } from '#shared/fields.ts'
import { call } from '#web/api.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { useAction } from '#web/query.ts'

const changedByOther =
  'Quelqu’un d’autre a changé ce champ entre-temps\u00a0: enregistrer remplace ce qu’il y a mis.'

/** An endpoint about one row, by its id. */
export type OfOne = Endpoint & { params: typeof idParams }

type RowFormOptions<Row, Values, Body> = {
  /** Endpoints to create, change and read a row, and the field with its version. */
  resource: {
    create: Endpoint
    update: OfOne
    find: OfOne & { response: z.ZodType<Row> }
    versioned: string
  }
  /** The row to edit; absent to create one. */
  row: Row | undefined
  /** Returns the initial values of the form. */
  valuesOf: (row: Row | undefined) => Values
  schema: z.ZodType<Body, Values>
}

/**
 * The form that creates a row, or edits the version that was read. After a concurrent change by another user, the new
 * version can be loaded without losing what was typed.
 *
 * @returns `read`, the version being edited; `sent`, the share of a form with a file that has been sent, from 0 to 1
 */
export function useRowForm<Row extends { id: number }, Values extends FieldValues, Body extends object>(
  options: RowFormOptions<Row, Values, Body>,
) {
  const { resource, row, valuesOf, schema } = options
  const [read, setRead] = useState(row)
  const [sent, setSent] = useState<number | null>(null)
  const form = useForm<Values, unknown, Body>({
    // The cast is safe: all the values are given, where the type also accepts some.
    defaultValues: valuesOf(row) as DefaultValues<Values>,
    resolver: zodResolver(schema),
    // `useSaving` focuses the first faulty field, for every kind of control.
    shouldFocusError: false,
  })
  const create = useAction<Endpoint>(resource.create, { isOfList: true })
  const update = useAction<Endpoint>(resource.update, { isOfList: true })
  const attempt = useAttempt()

  const onSave = async (body: Body) => {
    const content = read ? { ...body, [resource.versioned]: Reflect.get(read, resource.versioned) } : body
    const hasFile = Object.values(body).some((value) => value instanceof File)
    const sending = hasFile ? { body: formOf(content), onSent: setSent } : { body: content }
    try {
      if (read) return await update.mutateAsync({ params: { id: read.id }, ...sending })
      const created = await create.mutateAsync({ ...sending, headers: attempt.headersFor(content) })
      attempt.end()
      return created
    } finally {
      setSent(null)
    }
  }
  const reload = async ({ id }: Row) => {
    const fresh = await call(resource.find, { params: { id } })
    const [before, after, typed] = [valuesOf(read), valuesOf(fresh), form.getValues()]
    setRead(fresh)
    form.reset(after, { keepDirtyValues: true })
    // When both users changed the same field, what was typed remains and an error warns that the other change would be
    // lost.
    for (const name of Object.keys(after)) {
      const [was, theirs, mine] = [before, after, typed].map((values) => JSON.stringify(values[name]))
      if (was === theirs || was === mine || mine === theirs) continue
      form.setError(name as Path<Values>, { message: changedByOther })
    }
  }
  return { form, read, sent, onSave, onReload: row && (() => reload(row)) }
}

/**
 * Converts the content to a multipart form, which can carry files; absent values are omitted, and null becomes blank.
 */
function formOf(content: object): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(content)) {
    if (value instanceof File) data.set(name, value)
    else if (value !== undefined) data.set(name, String(value ?? ''))
  }
  return data
}
