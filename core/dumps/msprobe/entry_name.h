#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/site.h"
#include "core/dumps/model/dump.h"

namespace ulp::dumps::msprobe {

/// What the name of an entry says. The call stands before the direction for calls of an API, and
/// behind it for modules.
struct EntryName {
  EntryKind kind = EntryKind::Saved;
  Pass pass = Pass::Forward;
  std::string_view base{};       ///< without call and direction; empty: neither is in it
  std::string_view ending{};     ///< the two last segments: "3.forward", "backward.0"
  std::string_view module{};     ///< "model.layers.1.mlp"; empty for calls of an API
  std::string_view operation{};  ///< "LlamaMLP", "Functional.linear"
  std::uint64_t call = 0;
};
/// Views into `name`.
[[nodiscard]] EntryName parseEntryName(std::string_view name);

/// `parameters_grad` is the last segment, or, since 26.x, the last but one.
[[nodiscard]] bool isGradientName(std::string_view name);
/// Only the latter: the mark of a dump of 26.x.
[[nodiscard]] bool hasGradientNumber(std::string_view name);
/// Whole digits that fit.
[[nodiscard]] std::optional<std::uint64_t> parseCount(std::string_view text);

}  // namespace ulp::dumps::msprobe
