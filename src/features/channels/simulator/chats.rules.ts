type Sent = { provider: string; to: string; text: string }

const names: Record<string, string> = {
  telegram: 'Telegram',
  orange: 'SMS par Orange',
  keccel: 'SMS par Keccel',
  whatsapp: 'WhatsApp',
}

/**
 * Returns the demonstration page: the messages sent by the simulated providers, the latest first, and a form that
 * writes to the bot.
 */
export function pageOfChats(sent: readonly Sent[]): string {
  const rows = sent
    .toReversed()
    .map(
      ({ provider, to, text }) =>
        `<li><strong>${names[provider]}, ${escaped(to)}</strong><p>${escaped(text)}</p></li>`,
    )
  return `<!doctype html>
<html lang="fr">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Téléphone simulé · Ntalo</title>
<style>
body { max-width: 40rem; margin: 1rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui }
li p { margin: 0 0 1rem; white-space: pre-wrap; overflow-wrap: anywhere }
</style>
<h1>Téléphone simulé</h1>
<p>Rien n’est envoyé dans une démonstration. Voici ce que le téléphone aurait reçu.</p>
<form method="post" action="/">
<label>Écrire au bot de Telegram <input name="text" maxlength="200" placeholder="riz goma"></label>
<button>Envoyer</button>
</form>
${rows.length > 0 ? `<ul>${rows.join('')}</ul>` : '<p>Aucun message.</p>'}
</html>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
