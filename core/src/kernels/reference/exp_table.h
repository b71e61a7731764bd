// Written by tests/oracle/exp_table.py.
#pragma once
#include <cstdint>

namespace bitexact {

/// Element k of kExpLoss is 2^64 * (1 - exp(-2^k / 65536)), rounded to nearest.
inline constexpr int kExpBits = 21;
inline constexpr uint64_t kExpLoss[kExpBits] = {
    0x0000ffff80002aab, 0x0001fffe00015555, 0x0003fff8000aaaa0, 0x0007ffe0005554ab, 0x000fff8002aaa000,
    0x001ffe001554aaaf, 0x003ff800aaa00089, 0x007fe00554aabbba, 0x00ff802aa00221c7, 0x01fe0154aaeed834,
    0x03f80aa00882db6c, 0x07e054abba514376, 0x0f82a021c7eae18d, 0x1e14aed893eef3c4, 0x38a0830a9befa8bd,
    0x64ba681c834fb00c, 0xa1d2a7274c4320e5, 0xdd5aaab880fc68c0, 0xfb4faa91f7b0c2e2, 0xffea03defbefd853,
    0xfffffe1caa445118};
/// 2^32 * 65536 * exp(11), rounded to nearest.
inline constexpr uint64_t kExp11 = 0xe9e22447727bf9f8;

}  // namespace bitexact
