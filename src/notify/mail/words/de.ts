import type { MailTexts } from "./en.ts";

/** German texts of mails. */
export const de: MailTexts = {
  frame: {
    title: (title) => `Titel: ${title}`,
    upload: (id) => `Ihr Upload: ${id}`,
    submission: (url) => `Einreichung: ${url}`,
    dataset: (url) => `Datensatz: ${url}`,
    command: (command) => `Auf der Kommandozeile: ${command}`,
    why: (reason) =>
      `Sie erhalten diese E-Mail, weil ${reason}. Bitte antworten Sie nicht: Antworten werden nicht gelesen.`,
  },
  reasons: {
    submitter: "die Einreichung Ihre Adresse nennt",
    uploader: "Sie den Upload angelegt haben",
    owner: "Ihre Adresse im Antrag auf Veröffentlichung angegeben wurde",
    curator: "Sie Datensätze dieses Dienstes begutachten",
    former_curator: "Sie diesen Datensatz begutachtet haben",
    operator: "Sie diesen Dienst betreiben",
    reader: "Ihre Adresse in der Anfrage angegeben wurde",
    digest: "Sie eine E-Mail am Tag gewählt haben",
  },
  digest: {
    subject: (count) => `Zusammenfassung des Tages: ${count === 1 ? "ein Ereignis" : `${count} Ereignisse`}`,
  },
  submission: {
    accepted: "Angenommen",
    acceptedText: "Ihre Einreichung wurde angenommen. Der Dienst kann die Quelle lesen und archiviert die Objekte.",
    acceptedNext:
      "Sie müssen jetzt nichts tun. Sie erhalten eine weitere E-Mail, wenn der Datensatz archiviert ist oder wenn Sie etwas tun müssen.",
    archived: "Archiviert",
    archivedText: (objects, bytes) =>
      `Der Datensatz ist archiviert: ${objects === 1 ? "1 Objekt" : `${objects.toLocaleString("de-DE")} Objekte`}, ${bytes}.`,
    mayDelete: (may, statement) =>
      `Kann die Quelle gelöscht werden? ${may ? "Ja" : "Nein"}.${statement === "" ? "" : ` Begründung (englisch): ${statement}`}`,
    receipt:
      "Die signierte Quittung ist angehängt. Sie nennt, was archiviert wurde, wie es geprüft wurde und ob die Quelle gelöscht werden kann. Bewahren Sie die Quittung auf. „accession receipt verify“ prüft sie.",
    actionRequired: "Bitte handeln",
    failed: "Fehlgeschlagen",
    until: (date) => `Ist das Problem bis zum ${date} nicht behoben, schlägt die Einreichung fehl.`,
  },
  upload: {
    expires: (date) => `Ihr Upload wird am ${date} gelöscht`,
    unused: (since, date) =>
      `Ihr Upload wurde nicht eingereicht, und seit dem ${since} ist nichts mehr angekommen. Am ${date} (UTC) löscht ihn der Dienst mit allen Dateien.`,
    files: (files, bytes, received) =>
      `Er enthält ${files === 1 ? "1 Datei" : `${files.toLocaleString("de-DE")} Dateien`} mit zusammen ${bytes}. Davon sind ${received} angekommen.`,
    keep: "Sie müssen handeln, wenn Sie die Dateien brauchen: Senden Sie weitere Dateien, oder reichen Sie den Upload ein. Öffnen Sie dazu im Browser das Formular für eine neue Einreichung, wählen Sie „Von diesem Computer hochladen“, und setzen Sie diesen Upload fort: Das Formular führt ihn auf. Oder rufen Sie den Befehl unten mit Ihrem Ordner und Ihren Metadaten auf. Beide senden nur, was fehlt. Jedes Byte, das ankommt, verschiebt das Löschen um zwei Wochen.",
    page: (url) => `Im Browser: ${url}`,
    letExpire: "Wenn Sie die Dateien nicht brauchen, müssen Sie nichts tun.",
  },
  responsible: {
    submitter: "Sie müssen handeln.",
    source: "Der Speicheranbieter muss handeln.",
    service: "Die Ursache ist ein Fehler im Dienst.",
    operator: "Der Betreiber dieses Dienstes muss handeln.",
  },
  noAction: "Sie müssen nichts weiter tun.",
  next: {
    in_review:
      "Eine Kuratorin oder ein Kurator muss handeln: Metadaten und Dateien prüfen. Danach die Veröffentlichung freigeben, um Änderungen bitten oder ablehnen.",
    changes_requested:
      "Sie müssen handeln: Nehmen Sie die Änderungen vor oder beantworten Sie den Kommentar. Beantragen Sie dann die Veröffentlichung erneut.",
    approved: "Sie müssen handeln: Veröffentlichen Sie den Datensatz, wenn er öffentlich werden soll.",
  },
  review: {
    request: "Bitte begutachten",
    requested: (who) => `${who} hat die Veröffentlichung beantragt.`,
    assignedTo: (curator) => `Bitte begutachten (zugewiesen an ${curator})`,
    assigned: (who, curator) => `${who} hat die Begutachtung dieses Datensatzes ${curator} zugewiesen.`,
    before: (former) => `Bis dahin war sie ${former} zugewiesen.`,
    reassigned: "Begutachtung neu zugewiesen",
    unassignedSubject: "Begutachtung ohne Zuweisung",
    unassigned: (who) =>
      `${who} hat Ihre Zuweisung zur Begutachtung dieses Datensatzes aufgehoben. Er ist jetzt niemandem zugewiesen.`,
    unassignedOther: (who, former) =>
      `${who} hat die Zuweisung an ${former} zur Begutachtung dieses Datensatzes aufgehoben. Er ist jetzt niemandem zugewiesen.`,
    comment: "Neuer Kommentar",
    commented: (who) => `${who} hat kommentiert:`,
    commentedOnFile: (who, file) => `${who} hat die Datei ${file} kommentiert:`,
    commentedOnField: (who, field) => `${who} hat das Feld ${field} kommentiert:`,
    canAnswer: "Sie können auf der Seite des Datensatzes antworten.",
    edit: "Metadaten geändert",
    edited: (who, revision) =>
      `${who} hat die Metadaten dieses Datensatzes während der Begutachtung geändert (Revision ${revision}).`,
    compare: "Die Seite des Datensatzes zeigt die Änderungen. Eine Freigabe muss diese Revision nennen.",
    change: "Bitte Datensatz ändern",
    changesRequested: (who) => `${who} hat um Änderungen gebeten:`,
    decline: "Veröffentlichung abgelehnt",
    declined: (who) => `${who} hat die Veröffentlichung abgelehnt:`,
    canRequestAgain: "Der Datensatz bleibt archiviert. Sie können die Veröffentlichung erneut beantragen.",
    publish: "Bitte Datensatz veröffentlichen",
    approved: (who) => `${who} hat die Veröffentlichung freigegeben.`,
    takeBack: "Antrag zurückgenommen",
    takenBack: (who) => `${who} hat den Antrag auf Veröffentlichung zurückgenommen.`,
    isPrivate: "Der Datensatz ist privat. Sie müssen nichts tun.",
    published: "Veröffentlicht",
    publishedAs: (identifier) => `Der Datensatz ist veröffentlicht unter ${identifier}`,
    nothingToDo: "Sie müssen nichts tun.",
    withdraw: "Zurückgezogen",
    publicationWithdrawn: (who) =>
      `${who} hat die Veröffentlichung zurückgezogen. Das Archiv behält die Dateien. Grund:`,
    datasetWithdrawn: (who) => `${who} hat den Datensatz zurückgezogen. Sein Inhalt ist endgültig gelöscht. Grund:`,
    reminders: {
      in_review: "Erinnerung: Bitte begutachten",
      changes_requested: "Erinnerung: Bitte Datensatz ändern",
      approved: "Erinnerung: Bitte Datensatz veröffentlichen",
    },
    waits: (date) => `Die Veröffentlichung dieses Datensatzes wartet seit dem ${date}.`,
  },
  doi: {
    registration: "Bitte Registrierung berichtigen",
    registrationDelayed: "Die Veröffentlichung verzögert sich",
    reservation: "Bitte Reservierung einer DOI berichtigen",
    reservationDelayed: (doi, since) => `Die Reservierung der DOI ${doi} schlägt seit ${since} (UTC) fehl`,
  },
  access: {
    change: "Zugriff geändert",
    changed: (who) => `${who} hat den Zugriff auf die Dateien geändert. Die Seite des Datensatzes zeigt ihn.`,
    request: "Bitte Anfrage auf Zugriff beantworten",
    requested: (who) => `${who} hat Zugriff auf die Dateien beantragt. Person und Grund sehen Sie nach der Anmeldung.`,
    unknownPerson: "Eine Person ohne Konto",
    answer: "Sie müssen handeln: Gewähren Sie den Zugriff auf der Seite des Datensatzes oder lehnen Sie ihn dort ab.",
    reminder: "Erinnerung: Bitte Anfragen auf Zugriff beantworten",
    waiting: (number, since) =>
      `Offene Anfragen auf Zugriff auf die Dateien: ${number}. Die älteste wartet seit dem ${since}.`,
    granted: "Zugriff gewährt",
    grantedText: "Sie haben Zugriff auf die Dateien eines Datensatzes beantragt. Der Zugriff wurde gewährt.",
    refused: "Zugriff abgelehnt",
    refusedText: "Sie haben Zugriff auf die Dateien eines Datensatzes beantragt. Der Zugriff wurde abgelehnt.",
    kinds: {
      subject:
        "Um die Dateien herunterzuladen, öffnen Sie die Seite des Datensatzes und melden Sie sich mit dem Konto an, mit dem Sie den Zugriff beantragt haben.",
      email:
        "Um die Dateien herunterzuladen, öffnen Sie die Seite des Datensatzes und melden Sie sich mit einem Konto an, das diese Adresse hat.",
      link: "Die Dateien öffnen sich mit einem Link, den Ihnen die Eigentümerin, der Eigentümer oder die Kuratorinnen und Kuratoren des Datensatzes senden.",
    },
  },
  embargo: {
    ends: (date) => `Sperrfrist endet am ${date}`,
    opens: (date) => `Die Sperrfrist endet. Ab dem ${date} (00:00 UTC) können alle die Dateien herunterladen.`,
    canChange:
      "Sie müssen nichts tun. Um das Datum zu ändern, ändern Sie den Zugriff auf der Seite des Datensatzes und nennen Sie den Grund.",
    ended: "Sperrfrist beendet",
    open: (date) => `Die Sperrfrist ist beendet. Seit dem ${date} (UTC) können alle die Dateien herunterladen.`,
  },
};
