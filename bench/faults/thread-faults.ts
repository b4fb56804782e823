import type { Fault } from "./fault.js";
import type { RealTimeScene } from "./real-time-scene.js";

/** Steps of a slowed node take so much longer [s], for so long. */
const SLOWER = 0.03;
const SLOW = 2;
/** Threads that are replaced hang until then; those that have sockets come back by themselves [s]. */
const HANGS = 60;
const HANGS_WITH_SOCKETS = 3;

/** Every thread of the scene is killed, hung, slowed and has its memory used up. */
export function threadFaults({ run }: RealTimeScene): Fault[] {
  return run.host.executor.placements.flatMap(faultsOf);
}

export function faultsOf(placement: string): Fault[] {
  const common = { names: reportsOf(placement), after: "catches on" } as const;
  const hasSockets = placement === "robot" || placement === "world";
  const replaced = (): Pick<Fault, "isOver"> & { note: (scene: RealTimeScene) => void } => {
    let before = 0;
    const restarts = ({ run }: RealTimeScene) => run.host.executor.states.of(placement).restarts;
    return {
      note: (scene) => {
        before = restarts(scene);
      },
      isOver: (scene) => restarts(scene) > before,
    };
  };
  const [killed, hung, full] = [replaced(), replaced(), replaced()];
  const faults: Fault[] = [
    {
      ...common,
      name: `${placement} killed`,
      isOver: killed.isOver!,
      bring: (scene) => {
        killed.note(scene);
        scene.run.host.faults.killPart(placement);
      },
    },
    hasSockets
      ? hangingWithSockets(placement, common)
      : {
          ...common,
          name: `${placement} hung`,
          isOver: hung.isOver!,
          bring: (scene) => {
            hung.note(scene);
            scene.run.host.faults.hangPart(placement, HANGS);
          },
        },
    {
      ...common,
      name: `${placement} slowed`,
      needsWork: true,
      isShown: (scene) => showsSlowness(scene, placement),
      bring: ({ run }) => run.host.faults.slowPart(placement, SLOWER, SLOW),
    },
  ];
  // Node 20 aborts if a datagram arrives while its thread is being ended.
  if (hasSockets) return faults;
  const exhausted: Fault = {
    ...common,
    name: `${placement} out of memory`,
    isOver: full.isOver!,
    bring: (scene) => {
      full.note(scene);
      scene.run.host.faults.exhaustPart(placement);
    },
  };
  return [...faults, exhausted];
}

function hangingWithSockets(placement: string, common: Pick<Fault, "names" | "after">): Fault {
  let endMs = 0;
  return {
    ...common,
    name: `${placement} hung`,
    isOver: () => performance.now() > endMs,
    bring: ({ run }) => {
      endMs = performance.now() + 1e3 * HANGS_WITH_SOCKETS + 500;
      run.host.faults.hangPart(placement, HANGS_WITH_SOCKETS);
    },
  };
}

/** What names a thread: for the two between which commands pass, what the other finds, too. */
function reportsOf(placement: string): RegExp {
  if (placement === "control") return /control|the robot has stopped by itself/;
  return placement === "robot" ? /robot|staleState/ : new RegExp(placement);
}

/** A thread that is slow and does its work all the same shows that in the table of components alone. */
function showsSlowness({ session }: RealTimeScene, placement: string): boolean {
  const nodes = session.run.graph.nodes.filter((node) => node.placement === placement).map((node) => node.name);
  const components = session.snapshot().components?.components ?? [];
  return components.some((component) => nodes.includes(component.name) && (component.maxMs ?? 0) > 1e3 * SLOWER * 0.9);
}
