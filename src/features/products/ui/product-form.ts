import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { type Product, products } from '#features/products/products.contract.ts'
import { call } from '#web/api.ts'
import { formatTyped } from '#web/format.ts'
import { useAction } from '#web/query.ts'

/** What is typed; `image` is a new file, null to take the picture away, or '' to leave it. */
export type ProductValues = z.input<typeof products.input>
type Body = z.output<typeof products.input>
export type ProductFormState = UseFormReturn<ProductValues, unknown, Body>

const required = ['code', 'name', 'typeId', 'brandId', 'weight', 'origin', 'format'] as const

const blank: ProductValues = {
  code: '',
  name: '',
  typeId: '',
  brandId: '',
  weight: '',
  price: '',
  currency: 'CDF',
  origin: '',
  format: '',
  image: '',
}

/** The form of a product and how it is saved, the same in dialogs and on the page. */
export function useProductForm(product?: Product) {
  // The version that was read: another one comes when somebody else saved meanwhile.
  const [read, setRead] = useState(product)
  // How much of a form with a picture has left, from 0 to 1.
  const [sent, setSent] = useState<number | null>(null)
  const form = useForm<ProductValues, unknown, Body>({
    defaultValues: product ? valuesOf(product) : blank,
    resolver: zodResolver(products.input),
    // The dialog or the page does it, for every kind of control.
    shouldFocusError: false,
  })
  const create = useAction(products.create, { errors: 'inline' })
  const update = useAction(products.update, { errors: 'inline' })

  const onSave = async (body: Body) => {
    const content = read ? { ...body, updated_at: read.updated_at } : body
    const sending = body.image ? { body: formOf(content), onSent: setSent } : { body: content }
    try {
      if (read) await update.mutateAsync({ params: { id: read.id }, ...sending })
      else await create.mutateAsync(sending)
    } finally {
      setSent(null)
    }
  }
  const onReload = async () => {
    if (!read) return
    const fresh = await call(products.find, { params: { id: read.id } })
    setRead(fresh)
    form.reset(valuesOf(fresh), { keepDirtyValues: true })
  }
  const typed: readonly unknown[] = useWatch({ control: form.control, name: required })
  return { form, product: read, sent, isFilled: !typed.includes(''), onSave, onReload: read && onReload }
}

function valuesOf(product: Product): ProductValues {
  const { code, name, typeId, brandId, weight, price, currency, origin, format } = product
  return {
    ...{ code, name, typeId, weight, currency, origin, format },
    brandId: brandId ?? '',
    price: price === null ? '' : formatTyped(price),
    image: '',
  }
}

/** As a multipart form, the only kind that carries a file; what is absent or null is left out, or blank. */
function formOf(content: Record<string, unknown>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(content)) {
    if (value instanceof File) data.set(name, value)
    else if (value !== undefined) data.set(name, String(value ?? ''))
  }
  return data
}
