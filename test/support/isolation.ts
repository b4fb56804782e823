/** Folders whose tests leave nothing behind in a process, save those with what `ownProcess` names. */
const sharingFolders: readonly string[] = [
  "calibration",
  "camera",
  "catching",
  "cli",
  "client",
  "collision",
  "control",
  "flight",
  "math",
  "motion",
  "nodes",
  "optimisation",
  "planning",
  "recording",
  "report",
  "robot",
  "security",
  "service",
  "run",
  "runtime",
  "safety",
  "setup",
  "simulation",
  "support",
  "tracking",
  "transport",
  "view",
];

/** What a test needs a process of its own for: a heap that nothing else uses, runs in real time, settings and mocks of the process. */
const ownProcess =
  /support\/heap|\bgc\(|spawn|realTime|threads-executor|process\.env|\bvi\.(?!setConfig|restoreAllMocks)/i;

/** Whether a test file may run in a process with others, and share the modules that those have loaded. */
export function sharesModules(path: string, text: string): boolean {
  return sharingFolders.some((folder) => path.startsWith(`test/${folder}/`)) && !ownProcess.test(text);
}
