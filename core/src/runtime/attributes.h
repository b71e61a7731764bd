#pragma once
#include <string_view>

#include "bitexact/max_pool_ext2.h"

namespace bitexact {

/// MaxPoolExt2 is no `Op` of its own, only another spelling of max_pool2d.
[[nodiscard]] Result<MaxPoolExt2Attrs> read_max_pool_ext2(std::string_view json);

}  // namespace bitexact
