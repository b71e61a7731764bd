#pragma once
// Native builds pick the instruction set when they run; wasm and cross builds have one, fixed when compiled.
#ifdef BITEXACT_STATIC_DISPATCH
#define BITEXACT_DISPATCH HWY_STATIC_DISPATCH
#else
#define BITEXACT_DISPATCH HWY_DYNAMIC_DISPATCH
#endif
