#include "core/dumps/importers/raw_address.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <string_view>

#include "core/base/text/parse_number.h"

namespace ulp::dumps {
namespace {

/// "4,8", one of them perhaps -1; of a scalar nothing stands between the brackets.
std::optional<std::vector<std::int64_t>> shapeOf(std::string_view text) {
  std::vector<std::int64_t> shape;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const bool isOpen = text.substr(0, comma) == "-1";
    const auto extent = isOpen ? -1 : parseNatural<std::int64_t>(text.substr(0, comma));
    const bool isSecondOpen = isOpen && std::ranges::find(shape, -1) != shape.end();
    if (!extent || isSecondOpen || comma + 1 == text.size()) {
      return std::nullopt;
    }
    shape.push_back(*extent);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return shape;
}

bool isTypeName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

}  // namespace

std::optional<RawAddress> parseRawAddress(const std::filesystem::path& path) {
  const std::string text = path.string();
  const std::size_t open = text.rfind('[');
  const std::size_t close = text.rfind(']');
  if (open == std::string::npos || close == std::string::npos || close < open) {
    return std::nullopt;
  }
  const std::size_t colon = text.rfind(':', open);
  if (colon == std::string::npos || colon == 0) {
    return std::nullopt;
  }
  RawAddress address{.file = text.substr(0, colon),
                     .layout = {.dtype = text.substr(colon + 1, open - colon - 1)}};
  const std::string_view behind =
      text.size() > close + 1 ? std::string_view(text).substr(close + 1) : "@0";
  const bool hasOffset = behind.front() == '@';
  const auto offset = parseNatural<std::uint64_t>(behind.substr(1));
  auto shape = shapeOf(std::string_view(text).substr(open + 1, close - open - 1));
  if (!hasOffset || !offset || !shape || !isTypeName(address.layout.dtype)) {
    return std::nullopt;
  }
  address.layout.shape = std::move(*shape);
  address.layout.offset = offset.value_or(0);
  return address;
}

std::filesystem::path toPath(const RawAddress& address) {
  const tensors::RawLayout& layout = address.layout;
  std::string text =
      fmt::format("{}:{}[{}]", address.file.string(), layout.dtype, fmt::join(layout.shape, ","));
  return layout.offset == 0 ? text : fmt::format("{}@{}", text, layout.offset);
}

}  // namespace ulp::dumps
