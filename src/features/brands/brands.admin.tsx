export function BrandsPage() {
  return <h1>Marques</h1>
}
export function BrandPage() {
  return <h1>Marque</h1>
}
