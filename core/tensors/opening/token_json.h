#pragma once

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/opening/token_file.h"

namespace ulp::tensors {

/// Nested JSON lists of integers; places in errors read `[1][3]`.
[[nodiscard]] Result<TokenFile> parseTokenJson(const ByteSource& source);

}  // namespace ulp::tensors
