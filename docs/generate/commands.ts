import type { CommandUnknownOpts as Command } from "@commander-js/extra-typings";
import { generated } from "./table.ts";

const WIDTH = 100;

/** docs/commands.md: the help text of every command. */
export function commandsPage(program: Command): string {
  const verbs = program.commands.flatMap(withSubcommands).map((command) => {
    return `## ${fullName(command)}\n\n${block(helpOf(command))}`;
  });
  return `${generated("the commands’ own help")}

# Commands

For users of the command line. This page contains the help text (\`--help\`) of each command. In a checkout run
\`npm run --silent accession -- COMMAND …\`. [Configuration](configuration.md#command-line) lists the environment variables.

${block(helpOf(program))}

${verbs.join("\n\n")}
`;
}

/** The commands of a group instead of the group, whose help adds nothing. */
function withSubcommands(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(withSubcommands);
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (more) => {
      text += more;
    },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text;
}

const block = (text: string) => `\`\`\`text\n${text.trim()}\n\`\`\``;
