#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/json/value.h"

namespace ulp::text {

/// A JSON document whose numbers with a fraction are what serde_json, the reader of Hugging Face's
/// tokenizers, makes of them: it rounds twice, so that one in seven differs in its last bit from
/// the nearest double. Which of two equally good segmentations wins depends on that bit. Errors:
/// CorruptData.
[[nodiscard]] Result<json::Value> parseAsSerde(std::string_view text, std::string_view origin);

/// The number that serde_json reads from `text`, which must be a JSON number.
[[nodiscard]] double serdeNumber(std::string_view text);

}  // namespace ulp::text
