/** Why a file name is not possible on every system. */
export const NAME_REASONS = {
  en: {
    same_name: (other: string) =>
      `Windows and macOS do not distinguish this name from “${other}”. Only one of the two is there after unpacking.`,
    same_name_on_windows: (other: string) =>
      `Windows does not distinguish this name from “${other}”. Only one of the two may be there after unpacking.`,
    forbidden_character: () =>
      "Windows does not allow a character of this name. The file is renamed or missing after unpacking.",
    reserved_name: () => "Windows reserves this name for a device. The file is renamed or missing after unpacking.",
    trailing_character: () => "Windows removes the dot or space at the end of this name.",
    name_too_long: () =>
      "A part of the path is longer than 255 bytes. Linux, and often Windows and macOS, cannot create the file.",
    path_too_long: () => "The path is too long for many programs on Windows. The file is missing after unpacking.",
  },
  de: {
    same_name: (other: string) =>
      `Windows und macOS unterscheiden diesen Namen nicht von „${other}“. Nach dem Entpacken ist nur eines von beiden vorhanden.`,
    same_name_on_windows: (other: string) =>
      `Windows unterscheidet diesen Namen nicht von „${other}“. Nach dem Entpacken ist eventuell nur eines von beiden vorhanden.`,
    forbidden_character: () =>
      "Windows erlaubt ein Zeichen dieses Namens nicht. Nach dem Entpacken ist die Datei umbenannt oder fehlt.",
    reserved_name: () =>
      "Windows reserviert diesen Namen für ein Gerät. Nach dem Entpacken ist die Datei umbenannt oder fehlt.",
    trailing_character: () => "Windows entfernt den Punkt oder das Leerzeichen am Ende dieses Namens.",
    name_too_long: () =>
      "Ein Teil des Pfads ist länger als 255 Bytes. Linux und oft auch Windows und macOS können die Datei nicht anlegen.",
    path_too_long: () => "Der Pfad ist für viele Programme unter Windows zu lang. Nach dem Entpacken fehlt die Datei.",
  },
};
