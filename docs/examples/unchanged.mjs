// La même demande deux fois : la seconde réponse est 304, sans corps.
const address = 'https://ntalo.example/api/public/overview'
const first = await fetch(address)
const etag = first.headers.get('etag')
const second = await fetch(address, { headers: { 'If-None-Match': etag } })
console.log(second.status)
