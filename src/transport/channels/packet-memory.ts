/** The typed arrays through which the views of all packets in one buffer read and write. */
export class PacketMemory {
  readonly buffer: ArrayBufferLike;
  readonly f64: Float64Array;
  readonly f32: Float32Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly u16: Uint16Array;
  readonly u8: Uint8Array;

  /** The buffer's length is a multiple of eight bytes. */
  constructor(buffer: ArrayBufferLike) {
    this.buffer = buffer;
    this.f64 = new Float64Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.u8 = new Uint8Array(buffer);
  }
}
