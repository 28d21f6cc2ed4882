import { dayS } from '#shared/days.ts'
import { deviceOf } from '#shared/device.ts'
import type { MailContent } from '#shared/mail.ts'

export const resetLifetimeS = 30 * 60
export const verifyLifetimeS = 3 * dayS

const unasked = 'Vous n’avez rien demandé\u202f? Ne faites rien\u00a0: rien ne change sans ce lien.'

/** The user to greet, and the link of the mail. `name` is null while a stranger may have chosen it. */
type Addressed = { name: string | null; url: string }

const greeting = (name: string | null) => (name === null ? 'Bonjour,' : `Bonjour ${name},`)

/** @param isFirst whether the account has no password yet */
export function resetMail(to: Addressed & { isFirst: boolean }): MailContent {
  const subject = to.isFirst ? 'Choisissez votre mot de passe' : 'Choisissez un nouveau mot de passe'
  return {
    subject,
    paragraphs: [
      greeting(to.name),
      to.isFirst
        ? 'Votre compte Ntalo n’a pas encore de mot de passe\u00a0: choisissez-le par ce lien.'
        : 'Vous avez demandé à changer le mot de passe de votre compte Ntalo.',
    ],
    action: { label: 'Choisir le mot de passe', url: to.url },
    notes: ['Ce lien sert une seule fois, pendant 30\u00a0minutes.', unasked],
  }
}

/** Greets nobody by name: the name may be a stranger's text. */
export function verificationMail(url: string): MailContent {
  return {
    subject: 'Confirmez votre adresse e-mail',
    paragraphs: ['Bonjour,', 'Confirmez que cette adresse est bien la vôtre.'],
    action: { label: 'Confirmer mon adresse', url },
    notes: ['Ce lien sert une seule fois, pendant trois jours.', unasked],
  }
}

/** Mail to the owner of an address that was registered again. */
export function alreadyRegisteredMail(to: Addressed): MailContent {
  return {
    subject: 'Vous avez déjà un compte Ntalo',
    paragraphs: [
      greeting(to.name),
      'Quelqu’un, vous peut-être, a voulu créer un compte avec cette adresse. Elle en a déjà un\u00a0: connectez-vous, ou choisissez un nouveau mot de passe si vous l’avez oublié.',
    ],
    action: { label: 'Se connecter', url: to.url },
    notes: ['Ce n’était pas vous\u202f? Ne faites rien\u00a0: votre compte n’a pas changé.'],
  }
}

/** Warnings to the owner of an account when its means of signing in change. */
const securityNews = {
  'password changed': {
    subject: 'Votre mot de passe a changé',
    what: 'Le mot de passe de votre compte Ntalo vient de changer, et toutes ses sessions se sont terminées.',
  },
  'outlets ended': {
    subject: 'Les clés et les envois de votre compte sont retirés',
    what: 'L’adresse de votre compte Ntalo vient seulement d’être confirmée. Ce qui en sortait jusque-là pouvait servir à un autre que vous\u00a0: ses clés d’API, ses webhooks, ses messageries, les destinataires de ses rapports, ses pages partagées et ses coordonnées de facturation sont retirés. Créez de nouveau les vôtres.',
  },
  'second factor on': {
    subject: 'Vérification en deux étapes activée',
    what: 'Votre compte Ntalo demande désormais un code de votre téléphone à la connexion.',
  },
  'second factor off': {
    subject: 'Vérification en deux étapes désactivée',
    what: 'Votre compte Ntalo ne demande plus de code de votre téléphone à la connexion.',
  },
}

export type SecurityNews = keyof typeof securityNews

export function securityMail(news: SecurityNews, to: Addressed): MailContent {
  const { subject, what } = securityNews[news]
  return {
    subject,
    paragraphs: [greeting(to.name), what],
    action: { label: 'Se connecter', url: to.url },
    notes: [
      'Ce n’était pas vous\u202f? Choisissez tout de suite un nouveau mot de passe par «\u202fMot de passe oublié\u202f».',
    ],
  }
}

/** Mail to the former address of an account: its owner may have lost the account. */
export const addressChangedMail: MailContent = {
  subject: 'L’adresse de votre compte a changé',
  paragraphs: [
    'Bonjour,',
    'Votre compte Ntalo a désormais une autre adresse e-mail\u00a0: les messages qui le concernent iront à celle-là.',
  ],
  notes: ['Ce n’était pas vous\u202f? Écrivez-nous tout de suite\u00a0: nous vous rendrons votre compte.'],
}

/** Mail to users who chose this notice. @param client the browser, as it names itself */
export function signInMail(to: { name: string }, client: string, at: Date): MailContent {
  return {
    subject: 'Nouvelle connexion à votre compte',
    paragraphs: [
      `Bonjour ${to.name},`,
      `Votre compte Ntalo vient d’être ouvert le ${inKinshasa.format(at)}, heure de Kinshasa. Appareil\u00a0: ${deviceOf(client)}.`,
    ],
    notes: [
      'Ce n’était pas vous\u202f? Terminez cette session et changez votre mot de passe dans vos paramètres.',
      'Cet e-mail se désactive dans vos paramètres, sous «\u202fNotifications par e-mail\u202f».',
    ],
  }
}

const inKinshasa = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Africa/Kinshasa',
})
