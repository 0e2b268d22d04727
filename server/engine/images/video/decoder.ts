/**
 * FFmpeg's decoders as WebAssembly (libav.js, LGPL-2.1, shipped unmodified and loaded as files of their own): whatever a
 * damaged stream does to them stays inside their own memory. Runs in the decoding thread only.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Planes } from './yuv.ts';

export type Codec = 'avc' | 'vp8' | 'vp9' | 'av1';

interface Build {
  package: string;
  /** Loader beside its .wasm of the same name. */
  loader: string;
  decoder: string;
}

const h264 = '@libav.js/variant-mediarecorder-transcoder';
const vpx = '@libav.js/variant-webm-vp9';
const vpxLoader = 'libav-6.10.9.0-webm-vp9.wasm';
const builds: Record<Codec, Build> = {
  avc: { package: h264, loader: 'libav-4.10.6.1.1-mediarecorder-transcoder.simd', decoder: 'h264' },
  vp8: { package: vpx, loader: vpxLoader, decoder: 'libvpx' },
  vp9: { package: vpx, loader: vpxLoader, decoder: 'libvpx-vp9' },
  av1: {
    package: '@libav.js/variant-av1-opus',
    loader: 'libav-6.10.9.0-av1-opus.wasm',
    decoder: 'libaom-av1',
  },
};

export const isCodec = (name: string | null): name is Codec => name !== null && Object.hasOwn(builds, name);

/** The few of its functions that are used; pointers are numbers, failures negative ones. */
interface LibAv {
  HEAPU8: Uint8Array;
  calloc(count: number, size: number): number;
  avcodec_find_decoder_by_name(name: string): number;
  avcodec_alloc_context3(codec: number): number;
  avcodec_open2(context: number, codec: number, options: number): number;
  avcodec_free_context_js(context: number): void;
  avcodec_parameters_alloc(): number;
  avcodec_parameters_to_context(context: number, parameters: number): number;
  avcodec_parameters_free_js(parameters: number): void;
  AVCodecContext_codec_id(context: number): number;
  AVCodecParameters_codec_type_s(parameters: number, value: number): void;
  AVCodecParameters_codec_id_s(parameters: number, value: number): void;
  AVCodecParameters_extradata_s(parameters: number, value: number): void;
  AVCodecParameters_extradata_size_s(parameters: number, value: number): void;
  AVCodecParameters_width_s(parameters: number, value: number): void;
  AVCodecParameters_height_s(parameters: number, value: number): void;
  av_packet_alloc(): number;
  av_packet_unref(packet: number): void;
  av_packet_free_js(packet: number): void;
  ff_set_packet(packet: number, data: Uint8Array): void;
  AVPacket_pts_s(packet: number, value: number): void;
  AVPacket_ptshi_s(packet: number, value: number): void;
  AVPacket_flags_s(packet: number, value: number): void;
  avcodec_send_packet(context: number, packet: number): number;
  avcodec_receive_frame(context: number, frame: number): number;
  av_frame_alloc(): number;
  av_frame_unref(frame: number): void;
  av_frame_free_js(frame: number): void;
  AVFrame_pts(frame: number): number;
  AVFrame_width(frame: number): number;
  AVFrame_height(frame: number): number;
  AVFrame_format(frame: number): number;
  AVFrame_data_a(frame: number, plane: number): number;
  AVFrame_linesize_a(frame: number, plane: number): number;
  av_pix_fmt_desc_get(format: number): number;
  AVPixFmtDescriptor_comp_depth(format: number, component: number): number;
  AVPixFmtDescriptor_log2_chroma_w(format: number): number;
  AVPixFmtDescriptor_log2_chroma_h(format: number): number;
  AVPixFmtDescriptor_nb_components(format: number): number;
  AVPixFmtDescriptor_flags(format: number): number;
}

type Factory = (options: { wasmBinary: Uint8Array; print(): void; printErr(): void }) => Promise<LibAv>;

const loaded = new Map<string, Promise<LibAv>>();

async function load({ package: name, loader }: Build): Promise<LibAv> {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve(name));
  const factory = require(join(folder, `${loader}.js`)) as Factory & { default?: Factory };
  const wasmBinary = await readFile(join(folder, `${loader}.wasm`));
  const silent = () => {};
  return (factory.default ?? factory)({ wasmBinary, print: silent, printErr: silent });
}

function libraryFor(build: Build): Promise<LibAv> {
  const known = loaded.get(build.loader) ?? load(build);
  loaded.set(build.loader, known);
  return known;
}

export interface StreamFacts {
  codec: Codec;
  /** The container's codec header (avcC and the like). */
  description: Uint8Array | undefined;
  width: number;
  height: number;
  fullRange: boolean;
  matrix: Planes['matrix'];
}

/** Pixel formats of JPEG range (`AV_PIX_FMT_YUVJ420P`, 422, 444, 440); their numbers never change. */
const fullRangeFormats = new Set([12, 13, 14, 32]);
const videoType = 0;
const keyFlag = 1;
/** Zeroed bytes that decoders may read beyond the end (AV_INPUT_BUFFER_PADDING_SIZE). */
const padding = 64;
/** AV_PIX_FMT_FLAG_BE and _PAL, _HWACCEL, _RGB: formats no video decoder here gives. */
const unreadableFlags = 1 | 2 | 8 | 32;

/** One stretch of a stream that begins at a key frame. */
export class Decoder {
  readonly #lib: LibAv;
  readonly #facts: StreamFacts;
  readonly #context: number;
  readonly #packet: number;
  readonly #frame: number;

  private constructor(lib: LibAv, facts: StreamFacts, context: number) {
    this.#lib = lib;
    this.#facts = facts;
    this.#context = context;
    this.#packet = lib.av_packet_alloc();
    this.#frame = lib.av_frame_alloc();
  }

  /** @throws Error when the decoder refuses the stream's header */
  static async open(facts: StreamFacts): Promise<Decoder> {
    const build = builds[facts.codec];
    const lib = await libraryFor(build);
    const codec = lib.avcodec_find_decoder_by_name(build.decoder);
    const context = lib.avcodec_alloc_context3(codec);
    const parameters = lib.avcodec_parameters_alloc();
    lib.AVCodecParameters_codec_type_s(parameters, videoType);
    lib.AVCodecParameters_codec_id_s(parameters, lib.AVCodecContext_codec_id(context));
    lib.AVCodecParameters_width_s(parameters, facts.width);
    lib.AVCodecParameters_height_s(parameters, facts.height);
    if (facts.description) {
      const address = lib.calloc(facts.description.length + padding, 1);
      lib.HEAPU8.set(facts.description, address);
      lib.AVCodecParameters_extradata_s(parameters, address);
      lib.AVCodecParameters_extradata_size_s(parameters, facts.description.length);
    }
    const failed =
      lib.avcodec_parameters_to_context(context, parameters) < 0 || lib.avcodec_open2(context, codec, 0) < 0;
    lib.avcodec_parameters_free_js(parameters);
    if (failed) {
      lib.avcodec_free_context_js(context);
      throw new Error('the decoder refuses the stream');
    }
    return new Decoder(lib, facts, context);
  }

  /** @param index comes back with the frame that this packet holds; a packet that cannot be decoded is passed over */
  send(data: Uint8Array, index: number, key: boolean): void {
    const { ff_set_packet, AVPacket_pts_s, AVPacket_ptshi_s, AVPacket_flags_s } = this.#lib;
    ff_set_packet(this.#packet, data);
    AVPacket_pts_s(this.#packet, index);
    AVPacket_ptshi_s(this.#packet, 0);
    AVPacket_flags_s(this.#packet, key ? keyFlag : 0);
    this.#lib.avcodec_send_packet(this.#context, this.#packet);
    this.#lib.av_packet_unref(this.#packet);
  }

  /** No more packets: frames that were held back for reordering come out. */
  drain(): void {
    this.#lib.av_packet_unref(this.#packet);
    this.#lib.avcodec_send_packet(this.#context, 0);
  }

  /** The next finished frame; its planes are valid until the next call. */
  receive(): { index: number; planes: () => Planes } | undefined {
    this.#lib.av_frame_unref(this.#frame);
    if (this.#lib.avcodec_receive_frame(this.#context, this.#frame) < 0) return undefined;
    return { index: this.#lib.AVFrame_pts(this.#frame), planes: () => this.#planes() };
  }

  close(): void {
    this.#lib.av_frame_free_js(this.#frame);
    this.#lib.av_packet_free_js(this.#packet);
    this.#lib.avcodec_free_context_js(this.#context);
  }

  #planes(): Planes {
    const lib = this.#lib;
    const format = lib.AVFrame_format(this.#frame);
    const descriptor = lib.av_pix_fmt_desc_get(format);
    if ((lib.AVPixFmtDescriptor_flags(descriptor) & unreadableFlags) !== 0) {
      throw new Error('a pixel format that is not read');
    }
    const count = Math.min(3, lib.AVPixFmtDescriptor_nb_components(descriptor));
    return {
      width: lib.AVFrame_width(this.#frame),
      height: lib.AVFrame_height(this.#frame),
      memory: lib.HEAPU8,
      planes: Array.from({ length: count }, (_, plane) => ({
        offset: lib.AVFrame_data_a(this.#frame, plane),
        stride: lib.AVFrame_linesize_a(this.#frame, plane),
      })),
      depth: lib.AVPixFmtDescriptor_comp_depth(descriptor, 0),
      chromaShiftX: lib.AVPixFmtDescriptor_log2_chroma_w(descriptor),
      chromaShiftY: lib.AVPixFmtDescriptor_log2_chroma_h(descriptor),
      fullRange: this.#facts.fullRange || fullRangeFormats.has(format),
      matrix: this.#facts.matrix,
    };
  }
}
