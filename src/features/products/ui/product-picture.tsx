import { useState } from 'react'
import { CategoryDrawing } from '#features/categories/ui/category-drawing.tsx'
import type { Product } from '#features/products/products.contract.ts'
import { smallPicture } from '#shared/pictures.ts'

type ProductPictureProps = {
  product: Pick<Product, 'image_url' | 'type'>
  /** Alternative text; empty where the name is beside the picture. */
  alt?: string
  className?: string
  /** Whether to show the full picture instead of the 2 kB thumbnail of lists. */
  isWhole?: boolean
}

/** The picture of a product, or the icon of its category where there is none or it fails to load. */
export function ProductPicture({
  product,
  alt = '',
  className = 'size-11',
  isWhole = false,
}: ProductPictureProps) {
  const { image_url, type } = product
  const url = image_url && !isWhole ? smallPicture(image_url) : image_url
  const [broken, setBroken] = useState<string | null>(null)
  const frame = `shrink-0 overflow-hidden rounded-md border border-line ${className}`
  if (url && url !== broken) {
    return (
      <img
        src={url}
        alt={alt}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(url)}
        className={`bg-sunken object-cover ${frame}`}
      />
    )
  }
  return (
    <span className={`grid place-items-center bg-sunken text-ink-soft ${frame}`}>
      <CategoryDrawing category={type.category.name} className="size-7/10" />
    </span>
  )
}
