import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** The primary colour: buttons, links and completed steps. */
const pine: MantineColorsTuple = [
  "#edf5f1",
  "#dbeae3",
  "#b5d5c7",
  "#8abda8",
  "#67a68d",
  "#4a9278",
  "#337f66",
  "#247059",
  "#1d6653",
  "#124a3b",
];

/** Greys with a little of the paper’s yellow, for light backgrounds. */
const gray: MantineColorsTuple = [
  "#f8f7f3",
  "#f1efe9",
  "#e7e4dc",
  "#d8d4c9",
  "#c3beb1",
  "#969186",
  "#6f6b62",
  "#504d46",
  "#35332e",
  "#1f1e1a",
];

/** Greys with a little of the pine’s green, for dark ones. */
const dark: MantineColorsTuple = [
  "#e4e9e6",
  "#bcc6c0",
  "#9daaa3",
  "#74817b",
  "#414b46",
  "#303935",
  "#222927",
  "#161b19",
  "#111513",
  "#0b0e0d",
];

/** Radius, type and colours of the page. */
export const theme = createTheme({
  primaryColor: "pine",
  primaryShade: { light: 8, dark: 7 },
  colors: { pine, gray, dark },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", "DejaVu Sans Mono", monospace',
  headings: { fontWeight: "650", sizes: { h1: { fontSize: "1.75rem", lineHeight: "1.25" } } },
  components: {
    // Labels lie outside of the fields, so errors need words and not only red.
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "description", "input", "error"] } },
    // Made a header, it would pass for another banner of the page.
    Modal: { defaultProps: { attributes: { header: { role: "presentation" } } } },
    Button: {
      defaultProps: { size: "md", loaderProps: { type: "dots" } },
      // Long labels wrap on narrow screens instead of being cut off.
      styles: {
        root: {
          // Links in the form of buttons are not centred by default.
          display: "inline-flex",
          alignItems: "center",
          justifyContent: "center",
          height: "auto",
          minHeight: "var(--button-height)",
          paddingBlock: "0.2em",
        },
        label: { whiteSpace: "normal", lineHeight: 1.25 },
      },
    },
    ...large("NativeSelect", "PasswordInput", "TextInput"),
    // The lines of those that grow with their text.
    Textarea: { defaultProps: { size: "md", minRows: 2, maxRows: 12 } },
  },
});

/** Fields that a finger finds, with letters that a phone need not enlarge. */
function large(...fields: string[]) {
  return Object.fromEntries(fields.map((field) => [field, { defaultProps: { size: "md" } }]));
}

/** What Mantine’s own colours are replaced by, so that all text has a contrast of at least 4.5 to 1. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#fbfaf7",
    "--mantine-color-text": "#1d2320",
    "--mantine-color-dimmed": "#58605c",
    "--mantine-color-placeholder": "#6a716d",
    "--mantine-color-anchor": "#1d6653",
    "--mantine-color-error": "#b3261e",
  },
  dark: {
    "--mantine-color-body": "#161b19",
    "--mantine-color-text": "#e4e9e6",
    "--mantine-color-dimmed": "#a5b0aa",
    "--mantine-color-placeholder": "#8d9993",
    "--mantine-color-anchor": "#8fcbb4",
    "--mantine-color-error": "#ff9a8f",
  },
});
