import { useState } from 'react'
import { CategoryDrawing } from '#features/categories/ui/category-drawing.tsx'
import type { Product } from '#features/products/products.contract.ts'
import { smallPicture } from '#shared/pictures.ts'

type ProductPictureProps = {
  product: Pick<Product, 'image_url' | 'type'>
  /** What the picture shows; silent where the name stands beside. */
  alt?: string
  className?: string
  /** The whole picture, not the one of 2 kB that lists show. */
  isWhole?: boolean
}

/** The picture of a product, or the drawing of its category where there is none or it cannot be shown. */
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
