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

type OfOne = Endpoint & { params: typeof idParams }

type RowFormOptions<Row, Values, Body> = {
  /** Where it is created, changed and read again, and the field that says which version it is. */
  resource: {
    create: Endpoint
    update: OfOne
    find: OfOne & { response: z.ZodType<Row> }
    versioned: string
  }
  /** What is edited; absent to create. */
  row: Row | undefined
  /** What the form starts with. */
  valuesOf: (row: Row | undefined) => Values
  schema: z.ZodType<Body, Values>
}

/**
 * The form that creates a row, or edits the version of it that was read; when somebody else has changed it meanwhile,
 * another version can be read without losing what was typed.
 *
 * @returns `read`, the version that is edited; `sent`, how much of a form with a file has left, from 0 to 1
 */
export function useRowForm<Row extends { id: number }, Values extends FieldValues, Body extends object>(
  options: RowFormOptions<Row, Values, Body>,
) {
  const { resource, row, valuesOf, schema } = options
  const [read, setRead] = useState(row)
  const [sent, setSent] = useState<number | null>(null)
  const form = useForm<Values, unknown, Body>({
    // All of them, of which some would do.
    defaultValues: valuesOf(row) as DefaultValues<Values>,
    resolver: zodResolver(schema),
    // Whatever shows the form does it, for every kind of control.
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
    // Where both have changed the same, what was typed stays: it would replace what its author has not seen.
    for (const name of Object.keys(after)) {
      const [was, theirs, mine] = [before, after, typed].map((values) => JSON.stringify(values[name]))
      if (was === theirs || was === mine || mine === theirs) continue
      form.setError(name as Path<Values>, { message: changedByOther })
    }
  }
  return { form, read, sent, onSave, onReload: row && (() => reload(row)) }
}

/** As a multipart form, the only kind that carries a file; what is absent or null is left out, or blank. */
function formOf(content: object): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(content)) {
    if (value instanceof File) data.set(name, value)
    else if (value !== undefined) data.set(name, String(value ?? ''))
  }
  return data
}
