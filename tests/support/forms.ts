// Multipart forms as browsers and other clients send them.

import type { Db } from '#server/db/pool.ts'
import { insertBrand, insertType } from './catalogue.ts'

export function form(
  texts: Record<string, string>,
  files: Record<string, Buffer> = {},
  fileName = 'photo.jpg',
): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(texts)) data.append(name, value)
  for (const [name, bytes] of Object.entries(files)) {
    data.append(name, new Blob([new Uint8Array(bytes)]), fileName)
  }
  return data
}

/** Returns the form of one product after another, all of one type and brand. */
export async function productForms(db: Db) {
  const typeId = await insertType(db)
  const brandId = await insertBrand(db)
  let made = 0
  const fields = () => ({
    code: `F-${++made}`,
    name: 'Riz parfumé',
    typeId: String(typeId),
    brandId: String(brandId),
    weight: '5kg',
    price: '12500,50',
    currency: 'CDF',
    origin: 'Thaïlande',
    format: 'Sac',
  })
  return { typeId, brandId, fields }
}
