"""Three bits a number: eight evenly spaced levels around zero, one scale a row. Two planes of bytes hold them, the high two bits and the low one."""

import numpy as np

# Step of the uniform 8-level quantizer with the least squared error for a unit Gaussian (Max, 1960).
GAUSSIAN_STEP = 0.586


def codes_of(vectors):
    rms = np.sqrt((vectors**2).mean(axis=1, keepdims=True)) + 1e-9
    return np.clip(np.floor(vectors / (rms * GAUSSIAN_STEP)) + 4, 0, 7).astype(np.uint8)


def scales_of(vectors, codes):
    """The multiplier of each row that brings its levels closest to it."""
    levels = codes.astype(np.float32) - 3.5
    return ((vectors * levels).sum(1) / (levels * levels).sum(1)).astype(np.float32)


def pack_bits(values, bits):
    """Small numbers -> bytes, first number in the lowest bits."""
    per_byte = 8 // bits
    grouped = values.reshape(len(values), -1, per_byte)
    packed = np.zeros(grouped.shape[:2], np.uint8)
    for place in range(per_byte):
        packed |= grouped[:, :, place] << (bits * place)
    return packed


def byte_levels(bits):
    """[256, 8/bits] float table: what each byte unpacks to."""
    places = np.arange(8 // bits) * bits
    return ((np.arange(256)[:, None] >> places) & (2**bits - 1)).astype(np.float32)


def restore(codes, scales):
    return (codes.astype(np.float32) - 3.5) * scales[:, None]
