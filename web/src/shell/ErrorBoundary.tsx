import { Component, type ReactNode } from "react";
import { Broken } from "./Broken.tsx";

interface Props {
  /** Path of the room: in another one, what failed here is over. */
  at: string;
  children: ReactNode;
}

/** Says in plain words that the page itself has failed, instead of showing nothing. */
export class ErrorBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate({ at }: Props) {
    if (at !== this.props.at && this.state.error !== undefined) this.goOn();
  }

  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Broken error={error} onAgain={() => this.goOn()} />;
  }

  private goOn() {
    this.setState({ error: undefined });
  }
}
