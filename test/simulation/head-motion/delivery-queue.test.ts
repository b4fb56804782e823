import { expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { DeliveryQueue } from "../../../src/simulation/head-motion/delivery-queue.js";

it("delivers by arrival, equals in the order of sending, nothing early, everything once", () => {
  const random = new Random("queue");
  const queue = new DeliveryQueue(64, () => ({ id: -1, arrival: 0 }));
  const received: { id: number; arrival: number }[] = [];
  let id = 0;
  for (let time = 0; time < 200; time++) {
    for (let n = random.integer(3); n > 0; n--) {
      const item = queue.reserve()!;
      item.id = id++;
      item.arrival = time + random.integer(10);
      queue.send(item.arrival);
    }
    for (let item = queue.receive(time); item !== null; item = queue.receive(time)) {
      expect(item.arrival).toBe(time);
      received.push({ ...item });
    }
  }
  const order = received.toSorted((a, b) => a.arrival - b.arrival || a.id - b.id);
  expect(received).toEqual(order);
  expect(new Set(received.map((item) => item.id)).size).toBe(received.length);
});

it("says when it is full", () => {
  const queue = new DeliveryQueue(2, () => ({}));
  for (let k = 0; k < 2; k++) {
    queue.reserve();
    queue.send(1);
  }
  expect(queue.reserve()).toBeNull();
  expect(queue.receive(1)).not.toBeNull();
  expect(queue.reserve()).not.toBeNull();
});
