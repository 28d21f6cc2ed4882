// Une copie des prix : tout la première fois, puis ce qui a changé.
const headers = { Authorization: `Bearer ${process.env.NTALO_KEY}` }
const prices = new Map()
let cursor = 'start'
let hasMore = true
while (hasMore) {
  const answer = await fetch(`https://ntalo.example/api/prices?limit=1000&cursor=${cursor}`, { headers })
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.message)
  for (const price of body.data) prices.set(price.id, price)
  for (const id of body.deleted) prices.delete(id)
  cursor = body.cursor
  hasMore = body.hasMore
}
// Gardez ce curseur : la prochaine lecture commence là.
console.log(prices.size, cursor.length > 0)
