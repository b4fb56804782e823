/** An optional package: there, or not with the reason. */
type OptionalModule =
  | { readonly available: true; readonly module: unknown }
  | { readonly available: false; readonly reason: string };

/**
 * A package that may be missing, or be installed without its native part. Whatever goes wrong while it loads means that
 * it is not available: such packages throw all sorts of things.
 */
export async function loadOptional(name: string): Promise<OptionalModule> {
  try {
    return { available: true, module: await import(name) };
  } catch (error) {
    return { available: false, reason: error instanceof Error ? firstLine(error.message) : String(error) };
  }
}

/** TensorFlow with its native library; its install script fetches that library and may have failed. */
export function loadTensorFlow(): Promise<OptionalModule> {
  return loadOptional("@tensorflow/tfjs-node");
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
