/** The members that the API describes. Clients may send others, which have no type. */
export type Known<Members> = { [Name in keyof Members as string extends Name ? never : Name]: Members[Name] };
