/** Every limit of image and video analysis in one place. */

/** Longest side of a picture or of a video's frame (the specification's "up to 4K"). */
export const maxSidePx = 4096;

/** Decoding one picture; a damaged file can make a decoder crawl. */
export const decodeTimeoutSeconds = 20;

/**
 * A video's demuxer or decoder that does not come on to the next packet for so long is stuck: damaged WebM headers can
 * send the demuxer round for ever. How long a whole video may take is the caller's deadline.
 */
export const stallTimeoutMs = 10_000;

/** Resident memory of the host at which a video is given up. */
export const maxVideoResidentBytes = 1_500_000_000;

/** V8's heap of the decoding thread, in MB. The decoders' own memory is bounded by WebAssembly (2 GB) and the above. */
export const maxVideoHeapMb = 600;

/** Entries of a video's frame index: ten hours at 60 frames a second. */
export const maxIndexedFrames = 2_200_000;

/** When looking for scene changes, videos up to so many frames are decoded whole, of longer ones the key frames. */
export const maxWatchedFrames = 3000;

/** An animation up to this many pixels, all frames together, is decoded in one pass; beyond it frame by frame. */
export const maxAnimationPx = 50_000_000;

/** Frames that a model sees at once. */
export const batchFrames = 4;

/** Objects of one picture, best first. */
export const maxObjects = 300;
