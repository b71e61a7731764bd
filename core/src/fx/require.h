#pragma once
#include "bitexact/fx.h"

// A violated precondition is a mistake of the caller: builds with contracts stop at it (SRS-008.3), others report it.
#ifdef BITEXACT_CONTRACTS
#define FX_VIOLATED(condition) fx_contract_violated(__func__, #condition)
#else
#define FX_VIOLATED(condition) static_cast<void>(0)
#endif

#define FX_REQUIRE(condition, status) \
  do {                                \
    if (!(condition)) {               \
      FX_VIOLATED(condition);         \
      return status;                  \
    }                                 \
  } while (false)
