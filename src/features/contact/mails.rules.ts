import type { MailContent } from '#shared/mail.ts'

type Written = { name: string; email: string; subject?: string | null | undefined; message: string }

/** Returns the mail to the team; a reply goes to the sender. */
export function messageMail({ name, email, subject, message }: Written): MailContent {
  return {
    subject: `Contact\u00a0: ${onOneLine(subject || name)}`,
    paragraphs: [`${onOneLine(name)} (${email}) a écrit par le formulaire de contact\u00a0:`, message],
    notes: ['Répondre à ce message écrit à son auteur.'],
  }
}

/**
 * The acknowledgement. It quotes nothing of the message, so that the form cannot be used to send text to others in our
 * name.
 */
export const receivedMail: MailContent = {
  subject: 'Nous avons reçu votre message',
  paragraphs: [
    'Bonjour,',
    'Votre message est bien arrivé. Quelqu’un de l’équipe vous répondra à cette adresse, en général sous deux jours ouvrés.',
  ],
  notes: [
    'Vous ne nous avez pas écrit\u202f? Quelqu’un a donné votre adresse par erreur\u00a0: ne faites rien.',
  ],
}

function onOneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  const letters = [...line]
  return letters.length > 150 ? `${letters.slice(0, 149).join('')}…` : line
}
