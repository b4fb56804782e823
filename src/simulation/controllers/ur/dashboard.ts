import { nameOf } from "../../../runtime/name-of.js";
import type { UrController } from "./ur-controller.js";
import { UrRobotMode, UrSafetyMode } from "./ur-modes.js";

export const dashboardGreeting = "Connected: Universal Robots Dashboard Server\n";

const robotModes: Record<keyof typeof UrRobotMode, string> = {
  powerOff: "POWER_OFF",
  idle: "IDLE",
  running: "RUNNING",
};
const safetyModes: Record<keyof typeof UrSafetyMode, string> = {
  normal: "NORMAL",
  protectiveStop: "PROTECTIVE_STOP",
  robotEmergencyStop: "ROBOT_EMERGENCY_STOP",
};

/** What the dashboard answers to a line; the controller does what it asks. */
export function answerDashboard(line: string, controller: UrController): string {
  const safety = safetyModes[nameOf(UrSafetyMode, controller.safetyMode)!];
  switch (line.trim().toLowerCase()) {
    case "robotmode":
      return `Robotmode: ${robotModes[nameOf(UrRobotMode, controller.robotMode)!]}`;
    case "safetystatus":
      return `Safetystatus: ${safety}`;
    case "safetymode":
      return `Safetymode: ${safety}`;
    case "programstate":
      return controller.program === null ? "STOPPED <unnamed>" : "PLAYING <unnamed>";
    case "running":
      return `Program running: ${controller.program !== null}`;
    case "power on":
      return controller.powerOn() ? "Powering on" : "Failed to execute: power on";
    case "power off":
      controller.powerOff();
      return "Powering off";
    case "brake release":
      return controller.releaseBrakes() ? "Brake releasing" : "Failed to execute: brake release";
    case "play":
      return "Failed to execute: play";
    case "stop":
      controller.stopProgram();
      return "Stopped";
    case "unlock protective stop":
      return controller.unlock()
        ? "Protective stop releasing"
        : "Cannot unlock protective stop until 5s after occurrence";
    case "close safety popup":
      return "closing safety popup";
    case "is in remote control":
      return String(controller.isRemote);
    case "polyscopeversion":
      return "URSoftware 5.11.0.108249 (Sep 01 2021)";
    default:
      return `could not understand: '${printable(line)}'`;
  }
}

function printable(line: string): string {
  return line.slice(0, 80).replace(/[^\x20-\x7e]/g, "?");
}
