import { fetched } from "../ui/fetched.tsx";

/** Fetched when somebody is asked something, which most who fill the form in never are. */
export const ConfirmDialog = fetched(async () => ({
  default: (await import("../ui/ConfirmDialog.tsx")).ConfirmDialog,
}));
